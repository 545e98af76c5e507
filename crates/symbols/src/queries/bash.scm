(function_definition name: (word) @name) @function
(program [
  (variable_assignment name: (variable_name) @name) @variable
  (declaration_command (variable_assignment name: (variable_name) @name) @variable)
])

(command_name (word) @reference)

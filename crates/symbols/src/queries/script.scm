; What JavaScript and TypeScript have in common.
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: [
  (property_identifier)
  (private_property_identifier)
] @name) @method
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(program [
  (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
  (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable)
  (variable_declaration (variable_declarator name: (identifier) @name) @variable)
  (export_statement declaration: [
    (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
    (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @variable)
  ])
])
(expression_statement (call_expression
  function: (identifier) @callee
  arguments: (arguments . (string (string_fragment) @name) [(arrow_function) (function_expression)]))
  (#any-of? @callee "describe" "it" "test" "suite")) @test

(call_expression function: [
  (identifier) @reference
  (member_expression property: (property_identifier) @member)
])
(new_expression constructor: [
  (identifier) @reference
  (member_expression property: (property_identifier) @reference)
])
(import_specifier name: (identifier) @reference)
(export_specifier name: (identifier) @reference)
(import_clause (identifier) @reference)
(member_expression property: (property_identifier) @value)
(identifier) @value

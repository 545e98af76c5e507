(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(type_alias_statement left: (type (identifier) @name)) @type
(module (expression_statement (assignment left: (identifier) @name) @variable))

(call function: [
  (identifier) @reference
  (attribute attribute: (identifier) @member)
])
(attribute attribute: (identifier) @value)
(type (identifier) @reference)
(decorator [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)
])
(class_definition superclasses: (argument_list [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)
]))
(import_from_statement name: [
  (dotted_name (identifier) @reference)
  (aliased_import name: (dotted_name (identifier) @reference))
])
(identifier) @value

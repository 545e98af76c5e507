; What C++ adds to C.
(class_specifier name: [
  (type_identifier) @name
  (template_type name: (type_identifier) @name)
] body: (_)) @class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @struct
(namespace_definition name: (_) @name) @module
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @trait
(function_definition declarator: [
  (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (operator_name)] @name))
]) @function
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) (template_type)] @container
    name: [(identifier) (destructor_name) (operator_name)] @name))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) (template_type)] @container
    name: (identifier) @name)))
  (reference_declarator (function_declarator declarator: (qualified_identifier
    scope: [(namespace_identifier) (template_type)] @container
    name: [(identifier) (operator_name)] @name)))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier
    scope: [(namespace_identifier) (template_type)] @container
    name: [(identifier) (destructor_name) (operator_name)] @name)))
]) @method
(field_declaration declarator: [
  (function_declarator declarator: [(field_identifier) (operator_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))
]) @method

(call_expression function: (qualified_identifier name: (identifier) @reference))
(template_function name: (identifier) @reference)
(qualified_identifier scope: (namespace_identifier) @value)

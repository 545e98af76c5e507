(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(internal_module name: [(identifier) (nested_identifier) (string)] @name) @module
(module name: [(identifier) (nested_identifier) (string)] @name) @module
(function_signature name: (identifier) @name) @function
(method_signature name: (property_identifier) @name) @method
(abstract_method_signature name: (property_identifier) @name) @method
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @method
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name) @constant))

(type_identifier) @reference
(extends_clause value: (identifier) @reference)

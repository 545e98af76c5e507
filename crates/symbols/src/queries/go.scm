(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (generic_type type: (type_identifier) @container)
    (pointer_type (type_identifier) @container)
    (pointer_type (generic_type type: (type_identifier) @container))
  ]))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(method_elem name: (field_identifier) @name) @method
(source_file [
  (const_declaration (const_spec name: (identifier) @name) @constant)
  (var_declaration (var_spec name: (identifier) @name) @variable)
  (var_declaration (var_spec_list (var_spec name: (identifier) @name) @variable))
])

(type_identifier) @reference
(call_expression function: [
  (identifier) @reference
  (selector_expression field: (field_identifier) @member)
])
(selector_expression field: (field_identifier) @value)
(identifier) @value

(class_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @method
(compact_constructor_declaration name: (identifier) @name) @method
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant

(type_identifier) @reference
(method_invocation object: (_) name: (identifier) @member)
(method_invocation !object name: (identifier) @reference)
(method_reference (identifier) @member .)
(marker_annotation name: (identifier) @reference)
(annotation name: (identifier) @reference)
(enum_constant name: (identifier) @own)
(identifier) @value

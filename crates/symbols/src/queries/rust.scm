; What a Rust text defines. An `impl` block names its type once more; it is there for what stands inside.
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(mod_item name: (identifier) @name body: (_)) @module
(macro_definition name: (identifier) @name) @macro
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
]) @implementation

; What it names. Inside of a macro call there are words only; one before a bracket is a call.
(type_identifier) @reference
(call_expression function: [
  (identifier) @reference
  (field_expression field: (field_identifier) @member)
  (generic_function function: [
    (identifier) @reference
    (field_expression field: (field_identifier) @member)
  ])
])
(scoped_identifier name: (identifier) @reference)
(macro_invocation macro: (identifier) @reference)
(token_tree (identifier) @reference . (token_tree))
(use_list (identifier) @reference)
(use_as_clause path: (identifier) @reference)
(enum_variant name: (identifier) @own)
(identifier) @value

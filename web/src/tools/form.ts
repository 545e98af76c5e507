import { capital } from '@/design/format'
import { own } from '@/design/own'

export type FormFieldKind = 'text' | 'long' | 'number' | 'integer' | 'switch' | 'choice' | 'choices' | 'json'

/** A form field, derived from a schema. */
export interface FormField {
  name: string
  title: string
  about: string
  kind: FormFieldKind
  required: boolean
  /** The options of a choice: the value to send and the title to show. */
  options: { value: string; title: string }[]
  /** The initial value. */
  initial: Filling
  limits: { least?: number; most?: number; shortest?: number; longest?: number; format?: string }
}

/** The value of a field: its text as typed, a switch, or the selected values. */
export type Filling = string | boolean | string[]
export type Fillings = Record<string, Filling>

type Table = Record<string, unknown>

const table = (value: unknown): Table => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {})
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** Derives the fields from an object schema, in its order. Nested values are entered as JSON. */
export function readForm(schema: unknown): FormField[] {
  const { properties, required } = table(schema)
  const needed = new Set(list(required))
  return Object.entries(table(properties)).map(([name, raw]) => {
    const property = present(table(raw))
    const options = optionsOf(property)
    const kind = kindOf(property, options)
    const number = (key: string) => (typeof property[key] === 'number' ? { [key]: property[key] } : {})
    const { minimum, maximum, minLength, maxLength } = { ...number('minimum'), ...number('maximum'), ...number('minLength'), ...number('maxLength') } as Record<string, number>
    return {
      name,
      title: text(property['title']) || spoken(name),
      about: text(property['description']),
      kind,
      required: needed.has(name),
      options,
      initial: initialOf(kind, property['default']),
      limits: {
        ...(minimum === undefined ? {} : { least: minimum }),
        ...(maximum === undefined ? {} : { most: maximum }),
        ...(minLength === undefined ? {} : { shortest: minLength }),
        ...(maxLength === undefined ? {} : { longest: maxLength }),
        ...(typeof property['format'] === 'string' ? { format: property['format'] } : {}),
      },
    }
  })
}

/** Turns `first_name` into `First name`. */
function spoken(name: string): string {
  return capital(name.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, (_, one: string, other: string) => `${one} ${other.toLowerCase()}`).trim()) || name
}

/** Removes null from a schema that allows it beside one other type. */
function present(property: Table): Table {
  const types = list(property['type'])
  if (types.length > 0) return { ...property, type: types.find((type) => type !== 'null') }
  const kinds = [...list(property['anyOf']), ...list(property['oneOf'])].map(table)
  const real = kinds.filter((kind) => kind['type'] !== 'null')
  const [only] = real
  if (only === undefined || real.length !== 1 || kinds.length !== 2) return property
  const { anyOf: _any, oneOf: _one, ...rest } = property
  return { ...only, ...rest }
}

function optionsOf(property: Table): FormField['options'] {
  const source = property['type'] === 'array' ? table(property['items']) : property
  const titled = [...list(source['oneOf']), ...list(source['anyOf'])].map(table)
  if (titled.length > 0 && titled.every((one) => typeof one['const'] === 'string')) {
    return titled.map((one) => ({ value: text(one['const']), title: text(one['title']) || text(one['const']) }))
  }
  const values = list(source['enum'])
  const names = list(source['enumNames'])
  if (!values.every((value) => typeof value === 'string')) return []
  return values.map((value, at) => ({ value: value as string, title: text(names[at]) || (value as string) }))
}

function kindOf(property: Table, options: FormField['options']): FormFieldKind {
  const type = property['type']
  if (options.length > 0) return type === 'array' ? 'choices' : 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return type
  if (type !== 'string') return 'json'
  return Number(property['maxLength'] ?? 0) > 200 ? 'long' : 'text'
}

function initialOf(kind: FormFieldKind, value: unknown): Filling {
  if (kind === 'switch') return value === true
  if (kind === 'choices') return list(value).filter((one) => typeof one === 'string') as string[]
  if (value === undefined || value === null) return ''
  return typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value)
}

export function initialOfAll(fields: FormField[]): Fillings {
  return Object.fromEntries(fields.map((field) => [field.name, field.initial]))
}

export interface Read {
  filled: Record<string, unknown>
  /** The error messages by field name. */
  faults: Record<string, string>
}

/** Converts the input to the values to send, with the errors in it. Empty optional fields are left out. */
export function readFilled(fields: FormField[], fillings: Fillings): Read {
  // Entries are collected first, because a field may have the name of a built-in object property.
  const filled: [string, unknown][] = []
  const faults: [string, string][] = []
  for (const field of fields) {
    const read = readField(field, own(fillings, field.name) ?? field.initial)
    if ('fault' in read) faults.push([field.name, read.fault])
    else if (read.value !== undefined) filled.push([field.name, read.value])
  }
  return { filled: Object.fromEntries(filled), faults: Object.fromEntries(faults) }
}

type ReadField = { value: unknown } | { fault: string }

function readField(field: FormField, filling: Filling): ReadField {
  if (typeof filling === 'boolean') return { value: filling }
  if (Array.isArray(filling)) {
    if (filling.length === 0 && field.required) return { fault: 'Choose at least one.' }
    return { value: filling.length === 0 ? undefined : filling }
  }
  // A text that was there initially was cleared on purpose.
  if (filling.trim() === '' && !field.required) return { value: field.initial !== '' && (field.kind === 'text' || field.kind === 'long') ? '' : undefined }
  if (filling.trim() === '') return { fault: field.kind === 'choice' ? 'Choose one.' : 'This is needed.' }
  if (field.kind === 'number' || field.kind === 'integer') return readNumber(field, filling)
  if (field.kind === 'json') return readJson(filling)
  return readText(field, filling)
}

const WHOLE = /^[+-]?\d+$/
const TOO_LONG = `This number is too large to be sent exactly: at most ${Number.MAX_SAFE_INTEGER} fits.`

function readNumber({ kind, limits: { least, most } }: FormField, filling: string): ReadField {
  const value = Number(filling.trim().replace(',', '.'))
  if (Number.isNaN(value) || !Number.isFinite(value)) return { fault: 'Write a number.' }
  if (kind === 'integer' && !Number.isInteger(value)) return { fault: 'Write a whole number.' }
  if (least !== undefined && value < least) return { fault: `It should be ${least} or more.` }
  if (most !== undefined && value > most) return { fault: `It should be ${most} or less.` }
  // Larger integers would lose precision.
  if (!Number.isSafeInteger(value) && (kind === 'integer' || WHOLE.test(filling.trim()))) return { fault: TOO_LONG }
  return { value }
}

const FORMATS: Record<string, { sign: RegExp; fault: string }> = {
  email: { sign: /^[^\s@]+@[^\s@]+$/, fault: 'Write an e-mail address.' },
  uri: { sign: /^[a-z][a-z0-9+.-]*:\S+$/i, fault: 'Write a full address, as in https://example.org.' },
  date: { sign: /^\d{4}-\d\d-\d\d$/, fault: 'Write a date, as in 2026-11-17.' },
}

function readText({ limits: { shortest, longest, format } }: FormField, filling: string): ReadField {
  const { length } = [...filling]
  if (shortest !== undefined && length < shortest) return { fault: `It needs ${shortest} characters or more.` }
  if (longest !== undefined && length > longest) return { fault: `It has ${length} characters; at most ${longest} fit.` }
  const form = format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return form && !form.sign.test(filling.trim()) ? { fault: form.fault } : { value: filling }
}

function readJson(filling: string): ReadField {
  let value: unknown
  try {
    value = JSON.parse(filling)
  } catch {
    return { fault: 'Write it as JSON: "a text", 12, [1, 2] or {"key": "value"}.' }
  }
  const numbers = filling.replace(/"(?:\\.|[^"\\])*"/g, '""').match(/[\d.eE+-]+/g) ?? []
  return numbers.some((number) => WHOLE.test(number) && !Number.isSafeInteger(Number(number))) ? { fault: TOO_LONG } : { value }
}

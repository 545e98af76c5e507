// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { initialOfAll, readFilled, readForm } from './form'

const one = (schema: unknown, required = true) => readForm({ type: 'object', properties: { it: schema }, required: required ? ['it'] : [] })
const read = (schema: unknown, filling: string | boolean | string[], required = true) => readFilled(one(schema, required), { it: filling })

const TOO_LONG = 'This number is too large to be sent exactly: at most 9007199254740991 fits.'

describe('a form', () => {
  test('has a field for each property, in its order, with what is known of it', () => {
    const fields = readForm({
      properties: { colour: { type: 'string', title: 'Colour', description: 'Of the wall.' }, wall_height: { type: 'number', default: 2.5 }, sure: { type: 'boolean', default: true } },
      required: ['colour'],
    })
    expect(fields.map(({ name, title, about, kind, required }) => [name, title, about, kind, required])).toEqual([
      ['colour', 'Colour', 'Of the wall.', 'text', true],
      ['wall_height', 'Wall height', '', 'number', false],
      ['sure', 'Sure', '', 'switch', false],
    ])
    expect(initialOfAll(fields)).toEqual({ colour: '', wall_height: '2.5', sure: true })
  })

  test.each([
    ['a choice', { type: 'string', enum: ['a', 'b'], enumNames: ['An A'] }, 'choice', ['An A', 'b']],
    ['a choice with titles', { oneOf: [{ const: 'a', title: 'An A' }, { const: 'b' }] }, 'choice', ['An A', 'b']],
    ['several choices', { type: 'array', items: { enum: ['a', 'b'] } }, 'choices', ['a', 'b']],
    ['what may be null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer', []],
    ['a type that may be null', { type: ['string', 'null'] }, 'text', []],
    ['a long text', { type: 'string', maxLength: 2000 }, 'long', []],
    ['a list', { type: 'array', items: { type: 'number' } }, 'json', []],
    ['anything', {}, 'json', []],
  ])('knows %s', (_, schema, kind, titles) => {
    const [field] = one(schema)
    expect([field?.kind, field?.options.map(({ title }) => title)]).toEqual([kind, titles])
  })

  test.each(['', null, 7, [], { properties: 7 }])('of a schema that is none has no fields: %j', (schema) => expect(readForm(schema)).toEqual([]))
})

describe('what is filled in', () => {
  test.each([
    ['a text', { type: 'string' }, 'blue', 'blue'],
    ['a number with a comma', { type: 'number' }, ' 2,5 ', 2.5],
    ['a whole number', { type: 'integer' }, '-3', -3],
    ['the longest whole number', { type: 'integer' }, '9007199254740991', 9007199254740991],
    ['a huge number', { type: 'number' }, '1e20', 1e20],
    ['JSON with a long number in a text', {}, '{"id": "\\"12345678901234567890", "x": 1e20}', { id: '"12345678901234567890', x: 1e20 }],
    ['a switch that is off', { type: 'boolean' }, false, false],
    ['choices', { type: 'array', items: { enum: ['a', 'b'] } }, ['b'], ['b']],
    ['JSON', { type: 'object' }, '{"a": [1]}', { a: [1] }],
    ['an e-mail address', { type: 'string', format: 'email' }, 'a@b.c', 'a@b.c'],
  ])('is sent as %s', (_, schema, filling, sent) => expect(read(schema, filling)).toEqual({ filled: { it: sent }, faults: {} }))

  test.each([
    [{ type: 'string' }, ' ', 'This is needed.'],
    [{ enum: ['a'] }, '', 'Choose one.'],
    [{ type: 'array', items: { enum: ['a'] } }, [], 'Choose at least one.'],
    [{ type: 'number' }, 'many', 'Write a number.'],
    [{ type: 'integer' }, '2.5', 'Write a whole number.'],
    [{ type: 'integer', minimum: 1 }, '0', 'It should be 1 or more.'],
    [{ type: 'integer' }, '99999999999999999999', TOO_LONG],
    [{ type: 'integer', maximum: 6 }, '99999999999999999999', 'It should be 6 or less.'],
    [{ type: 'integer' }, '-9007199254740992', TOO_LONG],
    [{ type: 'integer' }, '1e20', TOO_LONG],
    [{ type: 'number' }, '12345678901234567890', TOO_LONG],
    [{}, '{"ids": [1, 12345678901234567890]}', TOO_LONG],
    [{ type: 'integer', maximum: 9 }, '10', 'It should be 9 or less.'],
    [{ type: 'string', minLength: 3 }, 'ab', 'It needs 3 characters or more.'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'It has 3 characters; at most 2 fit.'],
    [{ type: 'string', format: 'email' }, 'nobody', 'Write an e-mail address.'],
    [{ type: 'string', format: 'uri' }, 'example', 'Write a full address, as in https://example.org.'],
    [{ type: 'string', format: 'date' }, 'today', 'Write a date, as in 2026-11-17.'],
    [{}, '{', 'Write it as JSON: "a text", 12, [1, 2] or {"key": "value"}.'],
  ])('is not sent where it does not fit %j: %j', (schema, filling, fault) => expect(read(schema, filling)).toEqual({ filled: {}, faults: { it: fault } }))

  test('is left out where it is empty and need not be there, unless it was emptied', () => {
    expect(read({ type: 'string' }, '', false)).toEqual({ filled: {}, faults: {} })
    expect(read({ type: 'number', default: 2 }, '', false)).toEqual({ filled: {}, faults: {} })
    expect(read({ type: 'string', default: 'a.example' }, '', false)).toEqual({ filled: { it: '' }, faults: {} })
  })
})

test('a field may be called as what every object has by itself', () => {
  const fields = readForm(JSON.parse('{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}, "required": ["__proto__"]}'))
  const { filled, faults } = readFilled(fields, initialOfAll(fields))
  expect([Object.keys(filled), Object.keys(faults)]).toEqual([[], ['__proto__']])
})

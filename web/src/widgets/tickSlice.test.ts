import { beforeEach, describe, expect, test } from 'vitest'
import { useStore } from '@/store'
import { freshStores } from '@/testkit/stores'
import { readTicks } from './tickSlice'

const state = () => useStore.getState()
const kept = () => JSON.parse(localStorage.getItem('perigee.ticks') ?? 'null') as unknown
const open = (id: string) => useStore.setState({ route: { page: 'chat', id } })

beforeEach(() => {
  localStorage.clear()
  freshStores({ ticks: {} })
})

describe('ticks', () => {
  test('last in this browser, and go with their conversation', () => {
    open('0000000000abc')
    state().tickItems('a', [0, 2])
    open('0000000000xyz')
    state().tickItems('b', [1])
    expect(readTicks()).toEqual(state().ticks)
    state().chatGone('0000000000abc')
    expect(state().ticks).toEqual({ b: { chat: '0000000000xyz', ticked: [1] } })
    expect(kept()).toEqual(state().ticks)
    state().chatGone('0000000000xyz')
    expect(localStorage.getItem('perigee.ticks')).toBeNull()
  })

  test('of another tab are left as they are', () => {
    localStorage.setItem('perigee.ticks', JSON.stringify({ there: { chat: null, ticked: [3] } }))
    state().tickItems('here', [1])
    expect(kept()).toMatchObject({ there: { ticked: [3] }, here: { ticked: [1] } })
  })

  test('do not pile up: the list that was ticked longest ago gives way', () => {
    for (let list = 0; list < 320; list += 1) state().tickItems(`list ${list}`, [0])
    state().tickItems('list 20', [0, 1])
    state().tickItems('one more', [0])
    expect(Object.keys(state().ticks)).toHaveLength(300)
    expect(state().ticks['list 20']?.ticked).toEqual([0, 1])
    expect(state().ticks['list 21']).toBeUndefined()
  })

  test('are nobody else’s', async () => {
    state().tickItems('a', [0])
    await state().signOut()
    expect([state().ticks, kept()]).toEqual([{}, null])
  })

  test.each(['broken', 'null', '[]', '7', '{"a":{"ticked":"x"}}', '{"a":{"chat":3,"ticked":[]}}', '{"a":{"chat":null,"ticked":[{}]}}'])(
    'that cannot be read are none: %s',
    (text) => {
      localStorage.setItem('perigee.ticks', text)
      expect(readTicks()).toEqual({})
    },
  )
})

// @vitest-environment node
import { expect, test } from 'vitest'
import * as api from '@/api/servers'
import { standIns } from '@/testkit/services'
import { server } from '@/testkit/tools'
import { createServerStore } from './store'

test('the servers work without the rest of the app', async () => {
  const { said, went, notices, pages } = standIns({ page: 'servers', name: 'notes' })
  const list = async () => ({ servers: [server('notes'), server('time')], sandbox: { level: 'whole' as const, missing: [] }, deleted: [] })
  const gone: string[] = []
  const store = createServerStore({
    api: { ...api, listServers: list, removeServer: async (name) => gone.push(name) },
    followTurn: async () => 'ended',
    followQuestions: () => {},
    notices,
    pages,
  })
  await store.getState().refreshServers()
  await store.getState().removeServer(server('notes'))
  expect(gone).toEqual(['notes'])
  expect(store.getState().servers?.map(({ name }) => name)).toEqual(['time'])
  expect(went).toEqual([{ page: 'servers' }])
  expect(said.map(({ text }) => text)).toEqual(['notes is removed.'])
})

import { beforeEach, expect, test } from 'vitest'
import * as api from '@/api/code'
import { codeFile, codeFiles, root, ROOT } from '@/testkit/code'
import { standIns } from '@/testkit/services'
import { createCodeStore } from './store'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('the workspace works without the rest of the app', async () => {
  const { said, went, notices, pages } = standIns({ page: 'code' })
  const sent: unknown[] = []
  const store = createCodeStore({
    api: {
      ...api,
      listRoots: async () => ({ current: ROOT, roots: [root()] }),
      listFiles: async () => ({ files: codeFiles('a.rs'), more: false }),
      listProposals: async () => ({ proposals: [] }),
      readFile: async (_root, path) => codeFile(path, 'one\n'),
      saveFile: async () => Promise.reject(new Error('The disk is full.')),
    },
    followTurn: async () => 'ended',
    stopTurn: async () => ({ stopped: true }),
    followQuestions: () => {},
    notices,
    pages,
    conversations: { send: (text, order) => sent.push([text, order.root]), refresh: () => {}, answerHere: () => {} },
  })
  const code = () => store.getState()
  await code().refreshRoots()
  code().openRoute({ page: 'code', view: 'file', item: 'a.rs' })
  await code().readBuffer('a.rs')
  code().setUnsaved('a.rs', { text: () => 'two\n' })
  await code().save('a.rs')
  expect(said.map(({ text }) => text)).toEqual(['a.rs is not saved. The disk is full.'])
  code().ask('What is this?')
  expect(sent).toEqual([['What is this?', ROOT]])
  code().closeTab('file a.rs')
  expect(went).toEqual([{ page: 'code' }])
})

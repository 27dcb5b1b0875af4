import { expect, test } from 'vitest'
import { mostSnippets, snippetsFile, type Snippet } from '#domain/runs/run.ts'
import { Snippets } from '#services/runs/snippets.ts'
import { memoryFile } from '../../support/memory-file.ts'

function open(kept: readonly Snippet[] = []) {
  let ids = 0
  return new Snippets(memoryFile(kept), () => `new-${(ids += 1)}`)
}
const marked = (snippets: Snippets) =>
  snippets.state.value.filter(({ atStart }) => atStart).map(({ command }) => command)

test('one command at most is typed into new shells, and its mark stays when it is saved once more', async () => {
  const snippets = open()
  await snippets.keep('cd /workspace')
  await snippets.keep('nvidia-smi')
  await snippets.setAtStart('new-1')
  expect(marked(snippets)).toEqual(['cd /workspace'])
  await snippets.keep('cd /workspace')
  expect(snippets.state.value.map(({ id }) => id)).toEqual(['new-1', 'new-2'])
  expect(marked(snippets)).toEqual(['cd /workspace'])
  await snippets.setAtStart('new-2')
  expect(marked(snippets)).toEqual(['nvidia-smi'])
  await snippets.setAtStart(null)
  expect(marked(snippets)).toEqual([])
})

test('beyond the bound the oldest goes that is not marked', async () => {
  const old = (index: number): Snippet => ({ id: `${index}`, command: `echo ${index}`, atStart: false })
  const kept = Array.from({ length: mostSnippets }, (_, index) => old(index))
  const snippets = open(kept)
  await snippets.setAtStart(`${mostSnippets - 1}`)
  await snippets.keep('whoami')
  expect(snippets.state.value).toHaveLength(mostSnippets)
  expect(snippets.state.value[0]?.command).toBe('whoami')
  expect(marked(snippets)).toEqual([`echo ${mostSnippets - 1}`])
  expect(snippets.state.value.some(({ id }) => id === `${mostSnippets - 2}`)).toBe(false)
})

test('commands that were saved before there was a mark have none', () => {
  expect(snippetsFile.parse([{ id: 'a', command: 'ls' }])).toEqual([
    { id: 'a', command: 'ls', atStart: false },
  ])
})

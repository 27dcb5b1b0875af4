import { expect, test } from 'vitest'
import { effectiveRequest } from '#domain/templates/template-merge.ts'
import { effectiveLines } from '../../../../../src-renderer/features/offers/rent/effective-lines.ts'

const template = {
  id: 5,
  hash_id: 'abc',
  name: 'Mine',
  image: 'ubuntu',
  env: '-e A=1 -e HF_TOKEN=canary',
  onstart: 'echo ready',
  recommended_disk_space: 40,
}

const linesOf = (body: object) => effectiveLines(effectiveRequest(template, body))

test('an object of both sources is merged, and each key names its own', () => {
  const lines = linesOf({ disk: 50, env: { A: '2' } })
  expect(lines).toContainEqual(
    expect.objectContaining({ name: 'Environment', value: '2 entries', source: 'merged' }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({ name: 'A', value: '2', source: 'request', replaced: '1', isPart: true }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({ name: 'Disk', value: '50 GB', source: 'request', replaced: '40 GB' }),
  )
})

test('what is asked for again as it is replaces nothing', () => {
  expect(linesOf({ disk: 40 })).toContainEqual(expect.objectContaining({ name: 'Disk', replaced: null }))
})

test('a template’s script behind the step for the key is not replaced', () => {
  expect(linesOf({ onstart: 'mkdir -p ~/.ssh\necho ready' })).toContainEqual(
    expect.objectContaining({ name: 'Start script', source: 'request', replaced: null }),
  )
  expect(linesOf({ onstart: 'echo other' })).toContainEqual(
    expect.objectContaining({ name: 'Start script', replaced: 'echo ready' }),
  )
})

test('what sounds like a secret is masked', () => {
  expect(JSON.stringify(linesOf({ env: { API_KEY: 'canary-too' } }))).not.toContain('canary')
})

test('ports stand by themselves, those in a row as a range, each with its source', () => {
  const lines = effectiveLines(
    effectiveRequest(
      { ...template, env: '-e A=1 -p 8000-8010:9000-9010/udp -p 80:80' },
      { env: { '-p 81:81': '1' } },
    ),
  )
  const shown = lines
    .filter(({ name }) => name === 'Ports' || name === 'Environment' || name.startsWith('-p '))
    .map(({ name, value, source }) => [name, value, source])
  expect(shown).toEqual([
    ['Environment', '1 entry', 'template'],
    ['Ports', '13 ports', 'merged'],
    ['-p 8000-8010:9000-9010/udp', '11 ports', 'template'],
    ['-p 80:80', '', 'template'],
    ['-p 81:81', '', 'request'],
  ])
})

test('a template’s further fields have the names that its editor gives them', () => {
  const lines = effectiveLines(effectiveRequest({ ...template, runtype: 'ssh', use_ssh: true }, {}))
  expect(lines).toContainEqual(
    expect.objectContaining({ name: 'Run type', value: 'ssh', source: 'template' }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ name: 'SSH access', value: 'true' }))
})

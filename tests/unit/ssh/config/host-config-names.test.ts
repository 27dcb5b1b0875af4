import { expect, test } from 'vitest'
import { namesInConfig } from '#services/ssh/config/host-config-names.ts'

const noFiles = (): Promise<readonly string[]> => Promise.resolve([])
const noTrouble = (error: unknown): never => {
  throw error
}

test('aliases, host names and jump hosts are named, patterns are not', async () => {
  const config = `
Host trainbox "lab two" !spare *.corp.example c?
  HostName 203.0.113.7
  ProxyJump kim@gate:2222,second.example
  User kim
Host inner
  HostName %h.corp.example
  ProxyCommand ssh elsewhere -W %h:%p
Match originalhost lonely,b* exec "true"
  ProxyJump none
`
  expect(new Set(await namesInConfig(config, noFiles, noTrouble))).toEqual(
    new Set([
      'trainbox',
      'lab two',
      'spare',
      '203.0.113.7',
      'gate',
      'second.example',
      'inner',
      'inner.corp.example',
      'lonely',
    ]),
  )
})

test('files that it includes name theirs, wherever the line stands; one that includes itself is told, and no endless way', async () => {
  const files: Readonly<Record<string, string>> = { work: 'Host office\n  Include circle' }
  const include = (pattern: string): Promise<readonly string[]> =>
    Promise.resolve([files[pattern] ?? 'Host round\n  Include circle'])
  const office = (): Promise<readonly string[]> => Promise.resolve(['Host office'])
  expect(await namesInConfig('Host home\n  Include office', office, noTrouble)).toEqual(['home', 'office'])
  const troubles: unknown[] = []
  const found = await namesInConfig('Include work\nHost last', include, (error) => void troubles.push(error))
  expect(found).toEqual(['office', 'round', 'last'])
  expect(troubles).toEqual([new Error('its Include lines go too deep')])
})

test('what cannot be read or parsed keeps nothing else from being found', async () => {
  const include = (pattern: string): Promise<readonly string[]> =>
    pattern === 'gone' ? Promise.reject(new Error('gone')) : Promise.resolve(['Host "half', 'Host beside'])
  const troubles: unknown[] = []
  const config = 'Host before\nInclude gone odd\nHost after'
  const found = await namesInConfig(config, include, (error) => void troubles.push(error))
  expect(found).toEqual(['before', 'beside', 'after'])
  expect(troubles).toHaveLength(2)
})

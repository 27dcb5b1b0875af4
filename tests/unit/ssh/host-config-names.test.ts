import { expect, test } from 'vitest'
import { namesInConfig } from '../../../src-main/ssh/host-config-names.ts'

const noFiles = (): Promise<readonly string[]> => Promise.resolve([])

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
  expect(new Set(await namesInConfig(config, noFiles))).toEqual(
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

test('files that it includes name theirs, wherever the line stands; one that includes itself is an error, not an endless way', async () => {
  const files: Readonly<Record<string, string>> = { work: 'Host office\n  Include circle' }
  const include = (pattern: string): Promise<readonly string[]> =>
    Promise.resolve([files[pattern] ?? 'Host round\n  Include circle'])
  expect(await namesInConfig('Host home\n  Include office', () => Promise.resolve(['Host office']))).toEqual([
    'home',
    'office',
  ])
  await expect(namesInConfig('Include work', include)).rejects.toThrow('too deep')
})

import type { SFTPWrapper } from 'ssh2'
import { expect, test } from 'vitest'
import { startHostileServer } from './hostile-server.ts'
import { makeFolder, openTransfers } from './instance.ts'

test('a server may have 16 MiB under way, and again whenever they were taken', async () => {
  let first: unknown = null
  let least = Infinity
  const outgoingOf = (sftp: SFTPWrapper): unknown => Reflect.get(sftp, 'outgoing')
  const { address } = await startHostileServer({
    list: () => [{ name: 'large', mode: 0o100644 }],
    content: Buffer.alloc(40 * 1024 * 1024, 'x'),
    onSftp: (sftp) => {
      const window = (): unknown => Reflect.get(Object(outgoingOf(sftp)), 'window')
      first = window()
      sftp.on('READ', () => (least = Math.min(least, Number(window()))))
    },
  })
  const local = await makeFolder()
  const { run } = openTransfers({ local, address })
  const { phase } = await run({ direction: 'download', from: '/', names: ['folder'], to: local })
  expect(phase).toEqual({ kind: 'done' })
  expect(first).toBe(16 * 1024 * 1024)
  expect(least).toBeGreaterThan(0)
})

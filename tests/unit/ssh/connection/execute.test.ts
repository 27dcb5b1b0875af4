import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Client, ClientChannel } from 'ssh2'
import { execute } from '#services/ssh/connection/execute.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'

/** A server whose answer, output and exit come in one piece, as those of a quick command do on a busy computer. */
function quickServer(output: string, ...exit: readonly unknown[]): Client {
  const channel = Object.assign(new PassThrough({ emitClose: false }), { stderr: new PassThrough() })
  channel.end = () => channel
  const client = {
    exec(_command: string, _how: unknown, opened: (error: undefined, channel: ClientChannel) => void) {
      opened(undefined, channel as unknown as ClientChannel)
      channel.push(output)
      channel.emit('exit', ...exit)
      channel.push(null)
      channel.once('end', () => channel.emit('close', ...exit))
      return client
    },
  }
  return client as unknown as Client
}

async function run(client: Client) {
  let output = ''
  const exit = await execute({
    client,
    command: 'true',
    clock: systemClock,
    id: 'a',
    signal: new AbortController().signal,
    onOutput: (_, bytes) => void (output += Buffer.from(bytes).toString()),
  })
  return { ...exit, output }
}

test('an exit that comes with the answer is heard', async () => {
  expect(await run(quickServer('hello', 3))).toEqual({
    code: 3,
    signal: null,
    isLeft: false,
    output: 'hello',
  })
})

test('so is the signal that ended it', async () => {
  expect(await run(quickServer('', null, 'SIGKILL'))).toMatchObject({ code: null, signal: 'SIGKILL' })
})

test('a channel that closes without an exit tells none', async () => {
  expect(await run(quickServer('half'))).toMatchObject({ code: null, signal: null, output: 'half' })
})

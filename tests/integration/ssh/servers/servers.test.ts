import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { execute } from '#services/ssh/connection/execute.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { startAsyncSsh } from '../../../ssh-servers/asyncssh.ts'
import { startDropbear } from '../../../ssh-servers/dropbear.ts'
import { startParamiko } from '../../../ssh-servers/paramiko.ts'
import { isRunning } from '../../../support/is-running.ts'
import { connectionsTo, instanceId } from './connect.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const authorizedKeys = [publicKey.line]

describe.each([
  { name: 'dropbear', start: startDropbear },
  { name: 'AsyncSSH', start: startAsyncSsh },
  { name: 'paramiko', start: startParamiko },
])('$name', ({ start }) => {
  test('runs commands, shells with a terminal, and SFTP, in a home of its own', async () => {
    const server = await start({ authorizedKeys })
    await writeFile(join(server.home, 'file.txt'), 'over SFTP')
    const connections = await connectionsTo(server.address, privateKey)
    const { client, release } = await connections.acquire(instanceId, AbortSignal.timeout(60_000))
    onTestFinished(release)

    let output = ''
    const exit = await execute({
      client,
      command: 'cd && pwd; exit 3',
      id: 'run-1',
      clock: systemClock,
      signal: new AbortController().signal,
      onOutput: (_, bytes) => void (output += Buffer.from(bytes).toString()),
    })
    expect(output).toBe(`${server.home}\n`)
    expect(exit).toMatchObject({ code: 3, signal: null, isLeft: false })

    const screen = await new Promise<string>((resolve, reject) => {
      client.shell({ term: 'xterm' }, (error, channel) => {
        if (error) return reject(error)
        let text = ''
        channel.on('data', (bytes: Buffer) => void (text += bytes.toString()))
        channel.on('close', () => resolve(text))
        channel.write('tty; echo "$((6 * 7)) at $HOME"; exit\n')
      })
    })
    expect(screen).toContain('/dev/pts/')
    expect(screen).toContain(`42 at ${server.home}`)

    const text = await new Promise<string>((resolve, reject) => {
      client.sftp((error, sftp) => {
        if (error) return reject(error)
        sftp.readFile('file.txt', 'utf8', (failure, data) => {
          sftp.end()
          if (failure) reject(failure)
          else resolve(data.toString())
        })
      })
    })
    expect(text).toBe('over SFTP')
  })

  test('ends with all that it has started', async () => {
    const server = await start({ authorizedKeys })
    const connections = await connectionsTo(server.address, privateKey)
    const { client, release } = await connections.acquire(instanceId, AbortSignal.timeout(60_000))
    onTestFinished(release)
    const pid = await new Promise<number>((resolve, reject) => {
      client.exec('echo $$; exec sleep 1000', (error, channel) => {
        if (error) return reject(error)
        channel.on('data', (bytes: Buffer) => resolve(Number(bytes.toString())))
      })
    })
    expect(await isRunning(pid)).toBe(true)
    await server.close()
    expect(await isRunning(pid)).toBe(false)
    expect(await server.processes()).toEqual([])
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startProxy } from '../../ssh/proxy.ts'
import { connectTo, startInstance } from '../instance.ts'
import { makeDisk, openProjects } from './project.ts'

/** An instance, and projects of which each `open` is another run of Slipway. */
export async function startOnSave() {
  const instance = await startInstance()
  const there = join(instance.remote, 'app')
  let attempts = 0
  let cut = (): void => undefined
  const way = await startProxy(instance.address)
  const connect = connectTo(way.address)
  const acquire = async (id: number, signal: AbortSignal) => {
    attempts += 1
    const connection = await connect(id, signal)
    cut = () => connection.client.destroy()
    return connection
  }
  const disk = await makeDisk()
  const open = () => openProjects({ ...instance, acquire, disk })
  const read = (path: string) => readFile(join(there, path), 'utf8').catch(() => null)
  return { ...instance, there, way, open, read, cut: () => cut(), attempts: () => attempts }
}

import { plainShell } from '#domain/terminals/shell-wish.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createTerminalLine,
  type TerminalLine,
} from '../../../../src-renderer/features/terminals/terminal-line.ts'
import { FakeMain } from './fake-main.ts'
import { waitFor } from '../../../support/wait-for.ts'

const address = { host: '198.51.100.7', port: 40022 }
const size = { cols: 80, rows: 24 }
const ends: (() => void)[] = []

interface Shown {
  readonly bytes: number[]
  readonly taken: (bytes: number) => void
}

function setUp() {
  const main = new FakeMain()
  const shown: Shown[] = []
  const start = { wish: plainShell, folder: null as string | null }
  const line = createTerminalLine({
    isResting: false,
    start: () => start,
    calls: main.calls,
    openPort: main.openPort,
    instanceId: 7,
    show: (bytes, taken) => shown.push({ bytes: [...bytes], taken }),
  })
  ends.push(() => {
    void line.close()
    main.dispose()
  })
  return { main, shown, line, start }
}

afterEach(() => {
  vi.restoreAllMocks()
  for (const end of ends.splice(0)) end()
})

const reaches = (line: TerminalLine, kind: string) => waitFor(() => expect(line.state.value.kind).toBe(kind))

describe('opening', () => {
  it('asks with the size of the screen, then hands over the port, and follows the state', async () => {
    const { main, line } = setUp()
    expect(line.state.value.kind).toBe('preparing')
    await line.open({ cols: 120, rows: 40 })
    expect(main.asked).toEqual([
      'open {"instanceId":7,"wish":{"kind":"plain"},"folder":null,"cols":120,"rows":40}',
      'port t1',
    ])
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
  })

  it('that fails says why, and can be tried again', async () => {
    const { main, line } = setUp()
    main.failure = new Error('broken')
    vi.spyOn(console, 'error').mockReturnValueOnce()
    await line.open(size)
    expect(line.state.value).toMatchObject({ kind: 'not-opened', problem: { kind: 'unexpected' } })
    expect(main.ports).toHaveLength(0)
    await line.open(size)
    expect(main.ports).toHaveLength(1)
  })

  it('closes what was opened when the tab went away meanwhile', async () => {
    const { main, line } = setUp()
    const opening = line.open(size)
    await line.close()
    await opening
    expect(main.asked.at(-1)).toBe('close {"terminalId":"t1"}')
    expect(main.ports).toHaveLength(0)
  })
})

describe('bytes', () => {
  it('go to the screen as they come, and what it took goes back as a running total', async () => {
    const { main, shown, line } = setUp()
    await line.open(size)
    main.ports[0]?.postMessage(Uint8Array.of(1, 2, 255))
    main.ports[0]?.postMessage('no bytes')
    main.ports[0]?.postMessage(new Uint8Array(70_000))
    await waitFor(() => expect(shown).toHaveLength(2))
    expect(shown[0]?.bytes).toEqual([1, 2, 255])
    shown[0]?.taken(3)
    line.drained()
    shown[1]?.taken(65_536)
    shown[1]?.taken(4_464)
    line.drained()
    line.drained()
    await waitFor(() => expect(main.received).toHaveLength(3))
    expect(main.received).toEqual([3, 65_539, 70_003].map((bytes) => ({ kind: 'taken', bytes })))
  })

  it('that were typed go out as text', async () => {
    const { main, line } = setUp()
    await line.open(size)
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
    line.input('ls é\r')
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'ls é\r' }]))
  })

  it('that were typed while it connects wait for the shell', async () => {
    const { main, line } = setUp()
    await line.open(size)
    line.input('l')
    line.input('s\r')
    main.state.set({
      kind: 'unknown-host',
      address,
      offered: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:a' },
    })
    await reaches(line, 'unknown-host')
    expect(main.received).toEqual([])
    main.state.set({ kind: 'open', address, user: 'root' })
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'ls\r' }]))
  })

  it('that were typed for a shell that never came, or after it ended, reach no other shell', async () => {
    const { main, line } = setUp()
    await line.open(size)
    line.input('for the first')
    main.state.set({ kind: 'failed', problem: { kind: 'refused' }, address })
    await reaches(line, 'failed')
    line.input('for none')
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
    line.input('for this one')
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'for this one' }]))
  })
})

describe('after a loss', () => {
  it('reconnects on the same port, whose total goes on', async () => {
    const { main, shown, line } = setUp()
    await line.open(size)
    main.ports[0]?.postMessage(new Uint8Array(10))
    await waitFor(() => expect(shown).toHaveLength(1))
    shown[0]?.taken(10)
    const problem = { kind: 'link-lost' as const, detail: 'reset' }
    main.state.set({ kind: 'reconnecting', problem, address, retryAt: null })
    await reaches(line, 'reconnecting')
    await line.reconnect()
    expect(main.asked.at(-1)).toBe('reconnect {"terminalId":"t1"}')
    main.ports[0]?.postMessage(new Uint8Array(5))
    await waitFor(() => expect(shown).toHaveLength(2))
    shown[1]?.taken(5)
    line.drained()
    await waitFor(() => expect(main.received.at(-1)).toEqual({ kind: 'taken', bytes: 15 }))
    expect(main.ports).toHaveLength(1)
  })

  it('hands over another port when main closed the first, and counts anew for it', async () => {
    const { main, shown, line } = setUp()
    await line.open(size)
    main.ports[0]?.postMessage(new Uint8Array(10))
    await waitFor(() => expect(shown).toHaveLength(1))
    main.ports[0]?.close()
    await waitFor(async () => {
      await line.reconnect()
      expect(main.ports).toHaveLength(2)
    })
    // Bytes of the dead port are taken late: they are no credit for the new one.
    shown[0]?.taken(10)
    main.ports[1]?.postMessage(new Uint8Array(4))
    await waitFor(() => expect(shown).toHaveLength(2))
    shown[1]?.taken(4)
    line.drained()
    await waitFor(() => expect(main.received.at(-1)).toEqual({ kind: 'taken', bytes: 4 }))
  })

  it('that was shown keeps what is typed from the wish to reconnect on for the new shell', async () => {
    const { main, line } = setUp()
    await line.open(size)
    main.state.set({ kind: 'exited', code: 0, signal: null })
    await reaches(line, 'exited')
    line.input('for none')
    const asked = line.reconnect()
    line.input('l')
    await asked
    line.input('s\r')
    main.state.set({ kind: 'connecting', address })
    await waitFor(() => expect(line.state.value).toEqual({ kind: 'connecting', address }))
    main.state.set({ kind: 'open', address, user: 'root' })
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'ls\r' }]))
  })

  it('is tried again by itself for no typing; once asked for, for what is typed until that try is over', async () => {
    const { main, line } = setUp()
    await line.open(size)
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
    const lost = (retryAt: number | null) => {
      main.state.set({
        kind: 'reconnecting',
        problem: { kind: 'link-lost', detail: 'reset' },
        address,
        retryAt,
      })
      return waitFor(() => expect(line.state.value).toMatchObject({ kind: 'reconnecting', retryAt }))
    }
    await lost(1)
    expect(line.takesInput.value).toBe(false)
    line.input('unasked')
    await line.reconnect()
    expect(line.takesInput.value).toBe(true)
    line.input('for a try that fails')
    await lost(null)
    line.input('and more')
    await lost(2)
    expect(line.takesInput.value).toBe(false)
    line.input('unasked')
    await lost(null)
    line.input('unasked')
    await lost(3)
    const asked = line.reconnect()
    line.input('l')
    await asked
    await lost(null)
    line.input('s\r')
    main.state.set({ kind: 'open', address, user: 'root' })
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'ls\r' }]))
    await lost(4)
    expect(line.takesInput.value).toBe(false)
  })

  it('is asked for in vain when main refuses: nothing is typed for it any more', async () => {
    const { main, line } = setUp()
    await line.open(size)
    const problem = { kind: 'link-lost' as const, detail: 'reset' }
    main.state.set({ kind: 'reconnecting', problem, address, retryAt: 1 })
    await reaches(line, 'reconnecting')
    main.failure = new Error('broken')
    vi.spyOn(console, 'error').mockReturnValueOnce()
    const asked = line.reconnect()
    line.input('for none')
    await asked
    expect(line.takesInput.value).toBe(false)
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
    line.input('for this one')
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'for this one' }]))
  })

  it('goes on being shown when main refuses to reconnect, and what was typed meanwhile is gone', async () => {
    const { main, line } = setUp()
    await line.open(size)
    main.state.set({ kind: 'exited', code: 0, signal: null })
    await reaches(line, 'exited')
    main.failure = new Error('broken')
    vi.spyOn(console, 'error').mockReturnValueOnce()
    const asked = line.reconnect()
    line.input('for none')
    await asked
    expect(line.state.value.kind).toBe('exited')
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
    line.input('for this one')
    await waitFor(() => expect(main.received).toEqual([{ kind: 'input', data: 'for this one' }]))
  })

  it('says why when main refuses, until there is news', async () => {
    const { main, line } = setUp()
    await line.open(size)
    main.failure = new Error('broken')
    vi.spyOn(console, 'error').mockReturnValueOnce()
    await line.reconnect()
    // Its notice takes rows from the terminal.
    line.resize({ cols: 80, rows: 20 })
    await waitFor(() => expect(main.asked.at(-1)).toMatch(/^resize /))
    expect(line.trouble.value).toMatchObject({ kind: 'unexpected' })
    main.state.set({ kind: 'open', address, user: 'root' })
    await reaches(line, 'open')
    expect(line.trouble.value).toBeNull()
  })
})

describe('the size', () => {
  it('that changed while main was opening is told afterwards', async () => {
    const { main, line } = setUp()
    const opening = line.open(size)
    line.resize({ cols: 100, rows: 30 })
    await opening
    await waitFor(() => expect(main.asked.at(-1)).toBe('resize {"terminalId":"t1","cols":100,"rows":30}'))
  })

  it('is told one at a time while it is dragged, and the last one always', async () => {
    const { main, line } = setUp()
    await line.open(size)
    for (let cols = 81; cols <= 200; cols += 1) line.resize({ cols, rows: 24 })
    await waitFor(() => expect(main.asked.at(-1)).toContain('"cols":200'))
    expect(main.asked.filter((call) => call.startsWith('resize'))).toHaveLength(2)
  })
})

describe('the folder', () => {
  it('that many reports name is told one at a time, and the last one always', async () => {
    const { main, line, start } = setUp()
    await line.open(size)
    for (let number = 1; number <= 100; number += 1) {
      start.folder = `/run/${number}`
      line.tellFolder()
    }
    await waitFor(() => expect(main.asked.at(-1)).toContain('"folder":"/run/100"'))
    expect(main.asked.filter((call) => call.startsWith('setFolder'))).toHaveLength(2)
  })
})

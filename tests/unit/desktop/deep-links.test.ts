import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { deepLinksAmong, followDeepLinks } from '../../../src-main/desktop/deep-links.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'

class FakeApp extends EventEmitter {
  readonly isPackaged: boolean
  readonly schemes: string[] = []
  constructor(isPackaged = true) {
    super()
    this.isPackaged = isPackaged
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    this.schemes.push(scheme)
    return true
  }
}

function setUp({ args = [], isPackaged = true }: { args?: readonly string[]; isPackaged?: boolean } = {}) {
  const source = new FakeApp(isPackaged)
  const log = memoryLog()
  const did: string[] = []
  let ready: () => void = () => undefined
  const core = new Promise<void>((resolve) => (ready = resolve)).then(() => ({
    log,
    showInstance: async (id: number): Promise<void> => {
      did.push(`open ${id}`)
    },
    askForJob: (folder: string) => void did.push(`ask ${folder}`),
  }))
  followDeepLinks(source, { args, platform: 'linux', core, focus: () => did.push('focus') })
  return { source, log, did, ready }
}

test('an installed app is told to the system as what the scheme is for; one in development is not', () => {
  expect(setUp().source.schemes).toEqual(['slipway'])
  expect(setUp({ isPackaged: false }).source.schemes).toEqual([])
})

test('a link of this start waits until there is an app', async () => {
  const { did, ready } = setUp({ args: ['/usr/bin/slipway', 'slipway://instance/7'] })
  await settle()
  expect(did).toEqual([])
  ready()
  await settle()
  expect(did).toEqual(['focus', 'open 7'])
})

test('links of another start and of macOS come to the same', async () => {
  const { source, did, ready } = setUp()
  ready()
  source.emit('second-instance', {}, ['slipway', '--flag', 'slipway://instance/8'])
  let isPrevented = false
  source.emit('open-url', { preventDefault: () => (isPrevented = true) }, 'slipway://instance/9')
  await settle()
  expect(did).toEqual(['focus', 'open 8', 'focus', 'open 9'])
  expect(isPrevented).toBe(true)
})

test('a link to a job’s folder is asked about', async () => {
  const { did, ready } = setUp({ args: ['slipway', 'slipway://job?folder=%2Fhome%2Fme%2Fmy%20project'] })
  ready()
  await settle()
  expect(did).toEqual(['focus', 'ask /home/me/my project'])
})

test('a start without a link opens nothing', async () => {
  const { source, did, ready } = setUp()
  ready()
  source.emit('second-instance', {}, ['slipway', '/home/me/notes'])
  await settle()
  expect(did).toEqual([])
})

test('a start that fails is told by whoever starts, and not once more for its link', async () => {
  const source = new FakeApp()
  source.setAsDefaultProtocolClient = () => false
  followDeepLinks(source, {
    args: ['slipway', 'slipway://instance/7'],
    platform: 'linux',
    core: Promise.reject(new Error('storage-failed')),
    focus: () => expect.unreachable(),
  })
  // A rejection that nobody takes fails the run.
  await settle()
})

test('a hostile link does nothing, and the log does not repeat it', async () => {
  const { source, did, log, ready } = setUp()
  ready()
  const secret = 'canary-0xfeed'
  source.emit('second-instance', {}, ['slipway', `slipway://instance/1?do=destroy&key=${secret}`])
  source.emit('second-instance', {}, ['slipway', 'slipway://instance/1', 'slipway://instance/2'])
  source.emit('open-url', { preventDefault: () => undefined }, `SLIPWAY://${secret}`)
  await settle()
  expect(did).toEqual([])
  expect(log.lines.filter((line) => line.includes('Refused a link'))).toHaveLength(3)
  expect(log.lines.join('\n')).not.toContain(secret)
})

test('of the arguments of a start those count that have the scheme, in whatever case', () => {
  expect(deepLinksAmong(['/usr/bin/slipway', '--flag', 'slipway://instance/1', 'Slipway:x'])).toEqual([
    'slipway://instance/1',
    'Slipway:x',
  ])
  expect(deepLinksAmong(['--x=slipway://instance/1', 'out/slipway:1'])).toEqual([])
})

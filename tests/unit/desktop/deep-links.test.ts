import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepLinksAmong, followDeepLinks, parseDeepLink } from '../../../src-main/desktop/deep-links.ts'
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
  }))
  followDeepLinks(source, { args, core, focus: () => did.push('focus') })
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

describe('links', () => {
  test('an instance by its number is the one thing that a link can name', () => {
    expect(parseDeepLink('slipway://instance/4711')).toEqual({ instanceId: 4711 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (id) => {
        expect(parseDeepLink(`slipway://instance/${id}`)).toEqual({ instanceId: id })
      }),
    )
  })

  test.each([
    '',
    'slipway:',
    'slipway://',
    'slipway://instance',
    'slipway://instance/',
    'slipway://instance/0',
    'slipway://instance/007',
    'slipway://instance/-1',
    'slipway://instance/1.5',
    'slipway://instance/1e3',
    'slipway://instance/0x10',
    'slipway://instance/٤٢',
    'slipway://instance/４２',
    'slipway://instance/9999999999999999',
    'slipway://instance/1/',
    'slipway://instance/1/files',
    'slipway://instance/1?do=destroy',
    'slipway://instance/1#/instances/1?do=destroy',
    'slipway://instance/1%2F..',
    'slipway://instance/../settings',
    'slipway://instance//1',
    'slipway://instance/1 --no-sandbox',
    'slipway://instance/1\n',
    '\nslipway://instance/1',
    ' slipway://instance/1',
    'slipway://INSTANCE/1',
    'SLIPWAY://instance/1',
    'slipway:instance/1',
    'slipway:///instance/1',
    'slipway://user:password@instance/1',
    'slipway://instance:22/1',
    'slipway://offers/1',
    'slipway://instance.evil.example/1',
    'https://instance/1',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('%j is none', (link) => {
    expect(parseDeepLink(link)).toBeNull()
  })

  test('whatever is around it, nothing else passes for one', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const link = `${before}slipway://instance/1${after}`
        const isOne = before === '' && /^\d*$/.test(after) && after.length < 15
        expect(parseDeepLink(link) !== null).toBe(isOne)
      }),
    )
  })

  test('of the arguments of a start those count that have the scheme, in whatever case', () => {
    expect(deepLinksAmong(['/usr/bin/slipway', '--flag', 'slipway://instance/1', 'Slipway:x'])).toEqual([
      'slipway://instance/1',
      'Slipway:x',
    ])
    expect(deepLinksAmong(['--x=slipway://instance/1', 'out/slipway:1'])).toEqual([])
  })
})

import { Latest } from '#domain/base/latest.ts'
import type { UpdateChannel } from '#services/updates/release.ts'
import type { AtWork } from '#domain/updates/update.ts'
import { Updates, type UpdateSource } from '#services/updates/updates.ts'
import { signReleaseFile } from '../../../tools/release/release-file.mjs'
import { readYaml } from '../../../tools/release/yaml.mjs'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { signingKey } from './signing.ts'

/** The key that releases are signed with here. */
export const key = signingKey()
/** Nothing that an installation would end. */
export const nothing: AtWork = {
  guards: 0,
  isTrying: false,
  autoRents: 0,
  jobs: 0,
  terminals: 0,
  forwards: 0,
  transfers: 0,
}

/** What a place for updates says of its newest release. */
export function told(
  version: string,
  { by = key, name = 'latest-linux.yml', url = 'Slipway.AppImage' } = {},
): unknown {
  const file = `version: ${version}\nfiles:\n  - url: ${url}\n    sha512: abc\nreleaseNotes: Faster.\n`
  return readYaml(signReleaseFile(name, file, by.privateKey))
}

/** Updates from a place that answers as the test says. */
export function setUp({
  looksForUpdates = false,
  getsPrereleases = false,
  newest = told('1.2.4'),
  newestBeta = told('1.3.0-beta.2', { name: 'beta-linux.yml' }),
  work = nothing,
  agrees = false,
  begun = memoryFile<string | null>(null),
  currentVersion = '1.2.3',
} = {}) {
  const clock = new FakeClock()
  const preferences = new Latest({ looksForUpdates, getsPrereleases })
  const log = memoryLog()
  const channels: UpdateChannel[] = []
  const seen = {
    looks: 0,
    channels,
    downloads: 0,
    installs: 0,
    questions: [] as string[],
    told: [] as string[],
  }
  const place = { newest, newestBeta, installs: true, answer: () => Promise.resolve() }
  const source: UpdateSource = {
    kind: 'engine',
    publicKey: key.publicKey,
    computer: { platform: 'linux', arch: 'x64' },
    engine: {
      look: async (channel) => {
        seen.looks += 1
        seen.channels.push(channel)
        await place.answer()
        const found = channel === 'beta' ? place.newestBeta : place.newest
        if (found instanceof Error) throw found
        return found
      },
      download: (onPercent) => {
        seen.downloads += 1
        onPercent(50)
        return place.answer()
      },
      install: () => {
        seen.installs += 1
        return place.installs
          ? Promise.resolve()
          : Promise.reject(new Error('Not signed as the one that runs'))
      },
    },
  }
  const updates = new Updates({
    source,
    currentVersion,
    preferences,
    atWork: () => work,
    ask: ({ detail }) => {
      seen.questions.push(detail)
      return place.answer().then(() => agrees)
    },
    notify: (version) => void seen.told.push(version),
    begun,
    clock,
    log,
  })
  return { updates, clock, preferences, seen, place, begun }
}

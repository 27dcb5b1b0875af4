import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readYaml } from '../../../tools/release/yaml.mjs'

const top = join(import.meta.dirname, '../../..')
const { files, mac } = z
  .object({ files: z.array(z.string()), mac: z.object({ x64ArchFiles: z.string() }) })
  .parse(readYaml(readFileSync(join(top, 'build/electron-builder.yml'), 'utf8')))
const prebuilds = 'node_modules/keytar/prebuilds'
const systems = readdirSync(join(top, prebuilds))

/** Whose binaries go into a package, as electron-builder reads its patterns: one after the other, the last one counts. */
function packedFor(platform: string, arch: string): readonly string[] {
  const patterns = files.map((glob) => glob.replaceAll('${platform}', platform).replaceAll('${arch}', arch))
  const isPacked = (path: string): boolean =>
    patterns.reduce(
      (isIn, glob) =>
        glob.startsWith('!') ? isIn && !matchesGlob(path, glob.slice(1)) : isIn || matchesGlob(path, glob),
      true,
    )
  return systems.filter((system) => isPacked(`${prebuilds}/${system}/keytar.node`))
}

describe('of the keychain’s binaries', () => {
  test.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['win32', 'x64'],
    ['win32', 'arm64'],
  ])('only that for %s-%s goes into its package', (platform, arch) => {
    expect(packedFor(platform, arch)).toEqual([`${platform}-${arch}`])
  })

  // As @electron/universal demands: the same files in both, and each that is not made for both processors is named.
  test.each(['x64', 'arm64'])(
    'those for both processors go into the half for %s of a universal app',
    (arch) => {
      const packed = packedFor('darwin', arch)
      expect(packed.toSorted()).toEqual(['darwin-arm64', 'darwin-x64'])
      for (const system of packed) {
        const inApp = `Contents/Resources/app.asar.unpacked/${prebuilds}/${system}/keytar.node`
        expect(matchesGlob(inApp, mac.x64ArchFiles)).toBe(true)
      }
    },
  )
})

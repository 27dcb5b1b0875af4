import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readYaml } from '../../../tools/release/yaml.mjs'

const top = join(import.meta.dirname, '../../..')
const list = z.object({ depends: z.array(z.string()) })
const config = z
  .object({ deb: list, rpm: list })
  .parse(readYaml(readFileSync(join(top, 'build/electron-builder.yml'), 'utf8')))

/** electron-builder's own target for both kinds of package. */
const { default: FpmTarget } = createRequire(import.meta.url)('app-builder-lib/out/targets/FpmTarget.js') as {
  readonly default: {
    readonly prototype: { readonly getDefaultDepends: (kind: string) => readonly string[] }
  }
}

// What stands in the configuration takes the place of the defaults: an Electron without GTK or NSS does not start. When
// electron-builder changes them, they change here too.
test.each([
  ['deb', ['libasound2', 'libgbm1']],
  ['rpm', ['(libsecret or libsecret-1-0)', '(alsa-lib or libasound2)', '(mesa-libgbm or libgbm1)']],
] as const)('a %s needs all that electron-builder names, and what that leaves out', (kind, further) => {
  const defaults = FpmTarget.prototype.getDefaultDepends(kind)
  expect(defaults.length).toBeGreaterThan(5)
  expect(config[kind].depends).toEqual([...defaults, ...further])
})

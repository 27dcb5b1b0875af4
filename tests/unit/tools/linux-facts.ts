import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** The top of the project. */
export const top = join(import.meta.dirname, '../../..')

const real = z
  .looseObject({
    productName: z.string(),
    desktopName: z.string(),
    license: z.string(),
    homepage: z.url(),
    bugs: z.url(),
    repository: z.object({ url: z.string() }),
    author: z.object({ name: z.string(), email: z.email() }),
  })
  .parse(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')))

/** What the files for Linux tell, of the real package.json, as if it were a release's: it may be a pre-release's. */
export const manifest = { ...real, version: '0.1.0' }

/** After two releases, of which the second is this version. */
export const changelog = `# Changelog

## [Unreleased]

## [${manifest.version}] - 2026-02-01

- Two

## [0.0.9] - 2026-01-01
`

export const facts = { manifest, summary: 'Rent GPU machines', executable: 'slipway', changelog }

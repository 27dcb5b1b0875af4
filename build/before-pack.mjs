import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linuxFiles } from './linux-files.mjs'

/** electron-builder's hook before packing: makes in out/linux/ what electron-builder.yml puts into packages for Linux. */
export default async function beforePack({ electronPlatformName, packager }) {
  if (electronPlatformName !== 'linux') return
  const top = packager.projectDir
  const { metainfo, compressedManual } = linuxFiles({
    manifest: packager.info.metadata,
    summary: packager.platformSpecificBuildOptions.synopsis,
    executable: packager.executableName,
    changelog: await readFile(join(top, 'CHANGELOG.md'), 'utf8'),
  })
  const folder = join(top, 'out', 'linux')
  await mkdir(folder, { recursive: true })
  await write(join(folder, 'metainfo.xml'), metainfo)
  await write(join(folder, 'slipway.1.gz'), compressedManual)
}

/** Never half written: another run may be reading it. */
async function write(path, content) {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}

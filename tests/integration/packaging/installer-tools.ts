import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Takes the place of fpm. */
const fpm = join(import.meta.dirname, 'fpm-stand-in.mjs')

/**
 * Makes stand-ins for what electron-builder downloads to make installers.
 *
 * @param folder an empty one
 * @returns the environment that electron-builder finds them by
 */
export async function makeInstallerTools(folder: string): Promise<Readonly<Record<string, string>>> {
  const runtimes = join(folder, 'runtimes')
  await mkdir(runtimes, { recursive: true })
  for (const arch of ['x64', 'arm64']) {
    await mkdir(join(folder, 'lib', arch), { recursive: true })
    await writeFile(join(runtimes, `runtime-${arch}`), 'runtime')
  }
  // What would be packed is left beside the AppImage.
  await script(join(folder, 'mksquashfs'), 'cp -R "$1" "$2.folder" && echo squashfs > "$2"')
  await script(join(folder, 'desktop-file-validate'), 'exit 0')
  await script(join(folder, '7za'), 'for word; do case "$word" in *.7z) echo 7z >> "$word" ;; esac; done')
  await writeFile(join(folder, 'elevate.exe'), '')
  await script(join(folder, 'fpm'), `exec '${process.execPath}' '${fpm}' "$@"`)
  return {
    APPIMAGE_TOOLS_PATH: folder,
    CUSTOM_FPM_PATH: join(folder, 'fpm'),
    ELECTRON_BUILDER_7ZIP_PATH: join(folder, '7za'),
    ELECTRON_BUILDER_NSIS_DIR: folder,
  }
}

async function script(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`)
  await chmod(path, 0o755)
}

// The software bill of materials (SBOM) of what ships, which is neither `dependencies` nor all that is installed: most
// of what is bundled is a devDependency, and most of those only build and test.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What `npm sbom` says of the packages that ship. It has no time and no random id, so that the same commit gives the
 * same file.
 *
 * @param {{ version: string, license: string }} program of package.json
 * @param {{ packages: Record<string, object> }} lock package-lock.json
 * @param {readonly { name: string, version: string, license: string }[]} shipped as the build collected them, without
 *   Slipway itself
 * @returns {object} in CycloneDX's form
 * @throws Error when npm fails, or knows nothing of a package that ships
 */
export function billOfMaterials(program, lock, shipped) {
  const byId = new Map(shipped.map((one) => [`${one.name}@${one.version}`, one]))
  const { serialNumber: _random, metadata, components, ...bill } = npmSbom(shippedLock(program, lock, byId))
  const known = components.map((component) => {
    const { name, license } = byId.get(component['bom-ref'])
    // npm names a package as it's installed (keytar), and reads no license from the field that packages had long ago.
    return { ...component, name, licenses: component.licenses ?? [{ expression: license }] }
  })
  const missing = [...byId.keys()].filter((id) => !known.some((component) => component['bom-ref'] === id))
  if (missing.length > 0) throw new Error(`npm tells nothing of ${missing.join(', ')}`)
  const { timestamp: _now, ...described } = metadata
  return { ...bill, metadata: { ...described, lifecycles: [{ phase: 'build' }] }, components: known }
}

/** The lock file with nothing but what ships, and with what of it needs what. */
function shippedLock({ version, license }, { packages }, byId) {
  const kept = Object.entries(packages).filter(([path, entry]) => byId.has(idOf(path, entry)))
  const keptPaths = new Set(kept.map(([path]) => path))
  // Another version of what ships may be what it needs, and not ship.
  const shippedOf = (path, dependencies = {}) =>
    Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => keptPaths.has(pathFrom(path, name, packages))),
    )
  const entries = kept.map(([path, entry]) => [
    path,
    {
      ...(entry.name !== undefined && { name: entry.name }),
      version: entry.version,
      integrity: entry.integrity,
      license: entry.license,
      dependencies: shippedOf(path, entry.dependencies),
    },
  ])
  const direct = kept
    .filter(([path]) => path.lastIndexOf('node_modules/') === 0)
    .map(([path, entry]) => [
      nameOf(path),
      entry.name === undefined ? entry.version : `npm:${entry.name}@${entry.version}`,
    ])
  const root = { name: 'slipway', version, license, dependencies: Object.fromEntries(direct) }
  return {
    name: 'slipway',
    version,
    lockfileVersion: 3,
    packages: { '': root, ...Object.fromEntries(entries) },
  }
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const idOf = (path, { name, version }) => `${name ?? nameOf(path)}@${version}`

/** Where Node finds a package that the one at `path` needs: in the nearest `node_modules` above. */
function pathFrom(path, name, packages) {
  for (
    let folder = path;
    folder !== '';
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const inside = `${folder}/node_modules/${name}`
    if (inside in packages) return inside
  }
  return `node_modules/${name}`
}

function npmSbom(lock) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sbom-'))
  try {
    // npm calls the program as its folder is called.
    const project = join(folder, 'slipway')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), JSON.stringify(lock.packages['']))
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock))
    const run = spawnSync(
      'npm',
      ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
      { cwd: project, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 },
    )
    if (run.error !== undefined) throw run.error
    if (run.status !== 0) throw new Error(`npm sbom failed:\n${run.stderr}`)
    return JSON.parse(run.stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

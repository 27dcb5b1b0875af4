import fc from 'fast-check'
import { emptyContent, type TemplateContent } from '#domain/templates/template-content.ts'

/** Contents that differ in few fields and agree by chance, so that edits clash often. */
export const anyContent: fc.Arbitrary<TemplateContent> = fc.record({
  name: fc.constantFrom('a', 'b', ' c '),
  image: fc.constantFrom('ubuntu', 'ubuntu:24.04'),
  tag: fc.constantFrom('latest', 'v1'),
  desc: fc.constantFrom('', 'what it is'),
  readme: fc.string(),
  env: fc.constantFrom('', '-e A=1', "-e 'A=1'", '-p 80:80', '-e "B=x y" --shm-size 1g'),
  onstart: fc.constantFrom('', 'echo 1', ' echo 1\n'),
  runtype: fc.constantFrom('ssh', 'jupyter', 'args', 'docker'),
  args_str: fc.constantFrom('', '--x'),
  ssh_direct: fc.boolean(),
  use_ssh: fc.boolean(),
  jup_direct: fc.boolean(),
  jupyter_dir: fc.constantFrom(null, '/a', ''),
  use_jupyter_lab: fc.boolean(),
  docker_login_repo: fc.constantFrom('', 'ghcr.io'),
  docker_login_user: fc.constantFrom('', 'me'),
  href: fc.constantFrom('', 'https://a.example'),
  repo: fc.constantFrom('', 'a/b'),
  extra_filters: fc.constantFrom({}, { gpu_ram: { gte: 16_000 } }, { odd: { like: [1] } }),
  recommended_disk_space: fc.constantFrom(8, 0.5, 100),
  private: fc.boolean(),
  volume_info: fc.constantFrom(null, {}, { a: 1, b: 2 }),
})

/** A new template with what is named. */
export function contentWith(fields: Partial<TemplateContent>): TemplateContent {
  return { ...emptyContent, name: 'Mine', image: 'ubuntu', ...fields }
}

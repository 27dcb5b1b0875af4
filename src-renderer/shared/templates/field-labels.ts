import type { TemplateField } from '#domain/templates/template-content.ts'

/** What each field is called in the editor, in the difference and in a merge. */
export const fieldLabels: Readonly<Record<TemplateField | 'token', string>> = {
  name: 'Name',
  image: 'Image',
  tag: 'Tag',
  desc: 'Description',
  readme: 'Readme',
  env: 'Variables and ports',
  onstart: 'Start script',
  runtype: 'Run type',
  args_str: 'Arguments',
  ssh_direct: 'Direct SSH connection',
  use_ssh: 'SSH access',
  jup_direct: 'Direct notebook connection',
  jupyter_dir: 'Notebook folder',
  use_jupyter_lab: 'Lab interface',
  docker_login_repo: 'Registry',
  docker_login_user: 'Registry user',
  href: 'Documentation link',
  repo: 'Repository',
  extra_filters: 'Machine filters',
  recommended_disk_space: 'Disk (GB)',
  private: 'Private',
  volume_info: 'Volume hint',
  token: 'Registry token',
}

import { FieldCatalog, fieldGroup } from '../fields/field-catalog.ts'
import type { Field } from '../fields/field-format.ts'

const general = fieldGroup('Template')
const image = fieldGroup('Image')
const run = fieldGroup('Running')
const use = fieldGroup('Use')

const searchable = [
  general.text('name', 'Name', { shown: true }),
  image.text('image', 'Image', { shown: true }),
  image.text('tag', 'Tag', { shown: true }),
  general.number('recommended_disk_space', 'Disk', { unit: 'GB', shown: true }),
  use.count('count_created', 'Instances created', { shown: true }),
  use.time('recent_create_date', 'Last used', { shown: true }),
  general.time('created_at', 'Created'),
  general.yesNo('recommended', 'Recommended'),
  run.yesNo('use_ssh', 'SSH', { shown: true }),
  run.yesNo('ssh_direct', 'Direct SSH'),
  run.yesNo('jup_direct', 'Direct notebook'),
  image.text('default_tag', 'Default tag'),
  image.text('docker_login_repo', 'Registry'),
  general.integer('creator_id', 'Creator ID'),
  general.integer('id', 'Template ID'),
  general.text('hash_id', 'Hash ID'),
] as const

/** The fields by which templates can be searched (service API 2.2, second table), and no other. */
export const templateSearchFields = new FieldCatalog(namesOf(searchable), searchable)

const all = [
  ...searchable,
  general.text('desc', 'Description'),
  general.yesNo('private', 'Private'),
  run.text('runtype', 'Run type'),
  run.text('args_str', 'Arguments'),
  run.text('jupyter_dir', 'Notebook folder'),
  run.yesNo('use_jupyter_lab', 'Lab interface'),
  run.text('env', 'Environment'),
  run.text('onstart', 'Start script'),
  image.text('docker_login_user', 'Registry user'),
  image.text('href', 'Documentation'),
  image.text('repo', 'Repository'),
  general.text('extra_filters', 'Machine filters'),
  general.text('volume_info', 'Volume hint'),
  general.text('readme', 'Readme'),
]

/** Every field of a template that the API's document names, those that can be searched first. */
export const templateRecordFields = new FieldCatalog(namesOf(all), all)

function namesOf(fields: readonly Field[]): readonly string[] {
  return fields.map(({ name }) => name)
}

import { counted } from '#domain/base/plural.ts'
import type { TemplateField } from '#domain/templates/template-content.ts'
import { formatNumber } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** What the pages of templates say where nothing is listed. */
export const emptyTexts = {
  noneOwn: {
    title: 'No templates yet',
    text: 'A template is an image with ports, variables, and a start script, stored by the service. Instances that you rent with it start with the same setup. Create a template, or duplicate an existing one.',
  },
  noMatch: {
    title: 'No matching templates',
    text: 'Remove a filter, show all templates, or create a template.',
  },
  filteredOut: {
    title: 'All templates are filtered out',
    text: 'No loaded template contains the text above the table.',
  },
  notFound: {
    title: 'Template not found',
    text: 'The template was deleted, or this account can’t see it.',
  },
  nothingToEdit: {
    title: 'Nothing to edit',
    text: 'The template or draft no longer exists, or belongs to another account.',
  },
} as const

export const sendsOnlyText =
  'Slipway sends only these fields. Saving gives the template a new hash ID. Rentals that you start later with the old hash ID use the new one, and so do auto-retries that are running.'

/** Why an edit meets another one, by what the draft is. */
export const conflictTitles = {
  new: 'The template was created after all',
  edit: 'This template was edited elsewhere',
  deleted: 'The template still exists, or exists again',
} as const

export const conflictText =
  'Slipway hasn’t sent your edit. Merge both edits here, review the difference, then save.'

/** What deleting a template means. */
export function deleteText(mayHaveToken: boolean): string {
  const token = mayHaveToken ? ' If it has a registry token, enter the token again then.' : ''
  return `No one can rent with this template anymore. Instances that were rented with it aren’t affected. Slipway stores its content on this computer, so that you can create it again, with a new ID.${token}`
}

export const stillThere: ProblemText = {
  title: 'No reply, and the template still exists',
  meaning: 'Slipway checked for half a minute, and the service still lists the template.',
  nextStep: 'Delete it again if you want. If it disappears later, your drafts have its content.',
}

/** How saving ended, where it didn't simply succeed. */
export const saveTexts = {
  gone: {
    title: 'Template no longer exists',
    meaning: 'The template was deleted. Nothing was saved. Your draft is still here.',
    nextStep: 'Create a new template from your draft, or discard the draft.',
  },
  notSaved: {
    title: 'No reply, and nothing was saved',
    meaning: 'Slipway checked for half a minute, and the service doesn’t have the change.',
    nextStep: 'Save again. Your draft is still here.',
  },
  unsettled: {
    title: 'The template may have been saved',
    meaning: 'The change was sent, and no reply came before Slipway closed or lost the service.',
    nextStep: 'Select Check template. Slipway sends nothing again before it knows.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>

/** Templates that nothing tells apart. */
export function twinsText(ids: readonly number[]): ProblemText {
  return {
    title: 'Another of your templates is identical',
    meaning: `Template ${ids.join(', ')} has the same hash ID, and the service would change the first one that it finds. Nothing was saved.`,
    nextStep: 'Delete the template that you don’t need, then save again.',
  }
}

/** What stands beside the registry token's field. */
export const tokenTexts = {
  held: 'Entered. Slipway sends the token when you save, and holds it only in memory until then.',
  removed: 'Saving removes the token from the template.',
  lostOfDeleted:
    'If the deleted template had a token, enter it again, or clear it: only the service had the token.',
  lost: 'Drafts don’t store tokens, and Slipway closed after you entered this one. Enter it again, or clear it.',
  noneOfEdit: 'If empty, the service keeps the token that it has, if any. The service never shows it.',
  none: 'Not stored in the draft. Slipway holds the token in memory until you save, and never shows it again.',
} as const

/** Help below the editor's fields, where a label isn't enough. */
export const fieldHelp: Readonly<Partial<Record<TemplateField, string>>> = {
  private: 'Only you can see this template. Otherwise, everyone can find it and rent with it.',
  repo: 'The repository’s identifier, if there is one.',
  readme: 'Markdown, shown on the template’s page.',
  recommended_disk_space: 'Disk size of a new instance. Default: 8 GB.',
  extra_filters: 'Machines that suit this template. A search with its filters starts with these.',
  volume_info:
    'A hint for apps, as JSON. It attaches no volume: the service ignores it when it creates an instance. Choose a volume when you rent.',
  args_str:
    'Replaces the image’s command. If the image has an entrypoint, the entrypoint gets these as arguments.',
  use_jupyter_lab: 'The lab interface instead of the notebook interface.',
  jupyter_dir: 'Where the notebook starts. If empty, the image decides.',
  ssh_direct: 'Recommended with the run type SSH.',
  docker_login_repo: 'Only for private images.',
}

export const noVariablesText =
  'No variables or ports. Variables aren’t secret: everyone who can see the template sees them.'

export const exportText =
  'All editable fields, without the registry token. Variables are included: check them for secrets before you share the file.'

export const factsText =
  'The volume hint is only for apps: renting with the template attaches no volume. Registry tokens are never shown.'

export const readmeText =
  'Written by the template’s author. Slipway doesn’t load pictures, and asks before it opens a link.'

/** @param shown characters from its beginning, of `all` */
export function shownOfReadmeText(shown: number, all: number): string {
  return `${formatNumber(shown)} of ${counted(all, 'character')} shown.`
}

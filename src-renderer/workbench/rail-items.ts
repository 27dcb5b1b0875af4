import { appCommand, type AppCommandId } from '#domain/workbench/app-commands.ts'

/** A page that the rail leads to. `name` is what documentation and tests call it (screens.md). */
export interface RailItem {
  readonly name:
    'Offers' | 'Instances' | 'Terminals' | 'Jobs' | 'Templates' | 'Cloud' | 'Security' | 'Settings'
  readonly command: AppCommandId
  readonly to: string
  readonly icon: string
}

const items = [
  { name: 'Offers', command: 'offers', icon: 'i-lucide-search' },
  { name: 'Instances', command: 'instances', icon: 'i-lucide-server' },
  { name: 'Terminals', command: 'terminals', icon: 'i-lucide-square-terminal' },
  { name: 'Jobs', command: 'jobs', icon: 'i-lucide-list-checks' },
  { name: 'Templates', command: 'templates', icon: 'i-lucide-layout-template' },
  { name: 'Cloud', command: 'cloud', icon: 'i-lucide-cloud' },
  { name: 'Security', command: 'security', icon: 'i-lucide-shield-check' },
  { name: 'Settings', command: 'settings', icon: 'i-lucide-settings' },
] as const

export const railItems: readonly RailItem[] = items.map((item) => ({
  ...item,
  to: appCommand(item.command).to ?? '/',
}))

// Types of yaml.mjs: js-yaml comes without any.

export function readYaml(text: string): unknown

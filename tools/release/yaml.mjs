import { load } from 'js-yaml'

/**
 * What a YAML file says, as it comes.
 *
 * @param {string} text
 * @returns {unknown}
 */
export function readYaml(text) {
  return load(text)
}

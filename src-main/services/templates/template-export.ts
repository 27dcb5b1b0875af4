import type { TemplateContent } from '../../domain/templates/template-content.ts'
import { templateFileText } from '../../domain/templates/template-file.ts'
import { orStorageFailed, replaceFile } from '../storage/disk.ts'

/**
 * Saves a template as a file. Its variables are in it as they are, so it is for nobody else to read.
 *
 * @param chooseFile asks the user where to; `null` when nothing was chosen
 * @returns where it was saved; `null` when the user chose no file
 * @throws ProblemError storage-failed
 */
export async function exportTemplate(
  { id, content }: { readonly id: number; readonly content: TemplateContent },
  chooseFile: (suggestedName: string) => Promise<string | null>,
): Promise<string | null> {
  const path = await chooseFile(`template-${id}.json`)
  if (path === null) return null
  await orStorageFailed(path, () => replaceFile(path, templateFileText(content)))
  return path
}

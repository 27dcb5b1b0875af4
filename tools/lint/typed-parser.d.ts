interface Parser {
  readonly parseForESLint: (
    code: string,
    options: object,
  ) => { readonly services: { readonly program: object } }
}

export const vueParser: Parser

export function typedParser(top: string, isSingleRun: boolean): Parser

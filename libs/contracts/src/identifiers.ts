/** What the container binds; plugins never see these. */
export const TYPES = {
  Plugin: Symbol.for('turnwright.Plugin'),
  Application: Symbol.for('turnwright.Application'),
  ToolFormats: Symbol.for('turnwright.ToolFormats'),
  ReasoningFormats: Symbol.for('turnwright.ReasoningFormats'),
  Readers: Symbol.for('turnwright.Readers'),
  Exporters: Symbol.for('turnwright.Exporters'),
  Recipes: Symbol.for('turnwright.Recipes'),
  MergePolicies: Symbol.for('turnwright.MergePolicies'),
  Tokenizers: Symbol.for('turnwright.Tokenizers'),
  Templates: Symbol.for('turnwright.Templates'),
} as const;

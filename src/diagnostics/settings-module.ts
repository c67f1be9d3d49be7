/** Python modules that hold settings, by what they are called. */
export const SETTINGS_MODULE =
  /(^|\/)\w*(config|conf|settings|options|hparams|hyperparams|constants|defaults|params)\w*\.py$/i;

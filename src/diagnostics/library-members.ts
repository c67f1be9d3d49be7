/** The public names that objects of PyTorch's modules have. */
const MODULE =
  'training dump_patches call_super_init forward T_destination register_buffer register_parameter add_module register_module get_submodule set_submodule get_parameter get_buffer get_extra_state set_extra_state apply cuda ipu xpu mtia cpu type float double half bfloat16 to_empty to register_full_backward_pre_hook register_backward_hook register_full_backward_hook register_forward_pre_hook register_forward_hook register_state_dict_post_hook register_state_dict_pre_hook state_dict register_load_state_dict_pre_hook register_load_state_dict_post_hook load_state_dict parameters named_parameters buffers named_buffers children named_children modules named_modules train eval requires_grad_ zero_grad share_memory extra_repr compile';
/** Of Lightning 2, and what older ones had. */
const LIGHTNING_MODULE =
  'CHECKPOINT_HYPER_PARAMS_KEY CHECKPOINT_HYPER_PARAMS_NAME CHECKPOINT_HYPER_PARAMS_TYPE all_gather allow_zero_length_dataloader_with_multiple_devices automatic_optimization backward clip_gradients configure_callbacks configure_gradient_clipping configure_model configure_optimizers configure_sharded_model cpu cuda current_epoch device device_mesh double dtype example_input_array fabric float forward freeze global_rank global_step half hparams hparams_initial load_from_checkpoint local_rank log log_dict logger loggers lr_scheduler_step lr_schedulers manual_backward on_after_backward on_after_batch_transfer on_before_backward on_before_batch_transfer on_before_optimizer_step on_before_zero_grad on_fit_end on_fit_start on_gpu on_load_checkpoint on_predict_batch_end on_predict_batch_start on_predict_end on_predict_epoch_end on_predict_epoch_start on_predict_model_eval on_predict_start on_save_checkpoint on_test_batch_end on_test_batch_start on_test_end on_test_epoch_end on_test_epoch_start on_test_model_eval on_test_model_train on_test_start on_train_batch_end on_train_batch_start on_train_end on_train_epoch_end on_train_epoch_start on_train_start on_validation_batch_end on_validation_batch_start on_validation_end on_validation_epoch_end on_validation_epoch_start on_validation_model_eval on_validation_model_train on_validation_model_zero_grad on_validation_start optimizer_step optimizer_zero_grad optimizers predict_dataloader predict_step prepare_data prepare_data_per_node print remove_ignored_hparams save_hyperparameters setup strict_loading teardown test_dataloader test_step to to_onnx to_tensorrt to_torchscript toggle_optimizer toggled_optimizer train_dataloader trainer training_step transfer_batch_to_device type unfreeze untoggle_optimizer val_dataloader validation_step training_epoch_end validation_epoch_end test_epoch_end training_step_end validation_step_end test_step_end tbptt_split_batch truncated_bptt_steps on_epoch_end on_epoch_start on_batch_start on_batch_end on_hpc_save on_hpc_load get_progress_bar_dict add_to_queue get_from_queue use_amp summarize datamodule grad_norm log_grad_norm on_pretrain_routine_start on_pretrain_routine_end on_post_move_to_device precision model_size is_overridden add_progress_bar_metrics on_train_dataloader on_val_dataloader on_test_dataloader on_predict_dataloader on_validation_model_zero_grad';
const LIGHTNING_DATA =
  'CHECKPOINT_HYPER_PARAMS_KEY CHECKPOINT_HYPER_PARAMS_NAME CHECKPOINT_HYPER_PARAMS_TYPE allow_zero_length_dataloader_with_multiple_devices available from_datasets hparams hparams_initial length load_from_checkpoint load_state_dict name on_after_batch_transfer on_before_batch_transfer on_exception predict_dataloader prepare_data prepare_data_per_node remove_ignored_hparams save_hyperparameters setup state_dict teardown test_dataloader train_dataloader trainer transfer_batch_to_device val_dataloader dims size has_prepared_data has_setup_fit train_transforms val_transforms test_transforms add_argparse_args from_argparse_args get_init_arguments_and_types on_save_checkpoint on_load_checkpoint on_train_dataloader on_val_dataloader on_test_dataloader on_predict_dataloader';
const OPTIMIZER =
  'defaults state param_groups add_param_group step zero_grad state_dict load_state_dict profile_hook_step register_step_pre_hook register_step_post_hook register_state_dict_pre_hook register_state_dict_post_hook register_load_state_dict_pre_hook register_load_state_dict_post_hook OptimizerPreHook OptimizerPostHook';
const SCHEDULER =
  'optimizer base_lrs last_epoch verbose get_lr get_last_lr print_lr step state_dict load_state_dict';
const DICT = 'clear copy fromkeys get items keys pop popitem setdefault update values';
const PYDANTIC =
  'construct copy dict json parse_file parse_obj parse_raw from_orm schema schema_json update_forward_refs validate model_computed_fields model_config model_construct model_copy model_dump model_dump_json model_extra model_fields model_fields_set model_json_schema model_parametrized_name model_post_init model_rebuild model_validate model_validate_json model_validate_strings settings_customise_sources';
const STR =
  'capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill';
const INT =
  'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes is_integer';
const EXCEPTION = 'args with_traceback add_note';
const OS_ERROR = `${EXCEPTION} errno strerror winerror filename filename2 characters_written`;
const TEST_CASE =
  'addClassCleanup addCleanup addTypeEqualityFunc assertAlmostEqual assertAlmostEquals assertCountEqual assertDictContainsSubset assertDictEqual assertEqual assertEquals assertFalse assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot assertIsNotNone assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs assertNotAlmostEqual assertNotAlmostEquals assertNotEqual assertNotEquals assertNotIn assertNotIsInstance assertNotRegex assertNotRegexpMatches assertRaises assertRaisesRegex assertRaisesRegexp assertRegex assertRegexpMatches assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns assertWarnsRegex assert_ countTestCases debug defaultTestResult doClassCleanups doCleanups enterClassContext enterContext fail failIf failIfAlmostEqual failIfEqual failUnless failUnlessAlmostEqual failUnlessEqual failUnlessRaises failureException id longMessage maxDiff run setUp setUpClass shortDescription skipTest subTest tearDown tearDownClass assertStartsWith assertNotStartsWith assertEndsWith assertNotEndsWith assertHasAttr assertNotHasAttr assertIsSubclass assertNotIsSubclass';
const THREAD =
  'daemon getName ident isDaemon is_alive join name native_id run setDaemon setName start';

/** By the dotted name of a class: the public names that its objects have, in words. */
const MEMBERS: Readonly<Record<string, string>> = {
  object: '',
  'abc.ABC': '',
  'typing.Generic': '',
  'typing.Protocol': '',
  'typing_extensions.Protocol': '',
  'typing.NamedTuple': 'count index',
  'pydantic.BaseModel': PYDANTIC,
  'pydantic_settings.BaseSettings': PYDANTIC,
  'enum.Enum': 'name value',
  'enum.Flag': 'name value',
  'enum.IntEnum': `name value ${INT}`,
  'enum.IntFlag': `name value ${INT}`,
  'enum.StrEnum': `name value ${STR}`,
  dict: DICT,
  'collections.OrderedDict': `${DICT} move_to_end`,
  'collections.defaultdict': `${DICT} default_factory`,
  list: 'append clear copy count extend index insert pop remove reverse sort',
  tuple: 'count index',
  set: 'add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset issuperset pop remove symmetric_difference symmetric_difference_update union update',
  str: STR,
  int: INT,
  float: 'as_integer_ratio conjugate fromhex hex imag is_integer real from_number',
  ...errors(
    'BaseException Exception ArithmeticError AssertionError IndexError KeyError LookupError NotImplementedError RuntimeError TypeError ValueError ZeroDivisionError Warning UserWarning RuntimeWarning FutureWarning DeprecationWarning',
    EXCEPTION,
  ),
  ...errors('OSError IOError FileNotFoundError FileExistsError PermissionError', OS_ERROR),
  'threading.Thread': THREAD,
  'unittest.TestCase': TEST_CASE,
  'torch.nn.Module': MODULE,
  'torch.nn.modules.Module': MODULE,
  'torch.nn.modules.module.Module': MODULE,
  'torch.nn.Sequential': `${MODULE} append insert extend pop`,
  'torch.nn.ModuleList': `${MODULE} append insert extend pop`,
  'torch.nn.ModuleDict': `${MODULE} clear pop keys items values update`,
  'torch.nn.Linear': `${MODULE} in_features out_features weight bias reset_parameters`,
  'torch.utils.data.Dataset': '',
  'torch.utils.data.IterableDataset': '',
  'torch.utils.data.dataset.Dataset': '',
  'torch.utils.data.dataset.IterableDataset': '',
  'torch.optim.Optimizer': OPTIMIZER,
  'torch.optim.optimizer.Optimizer': OPTIMIZER,
  'torch.optim.lr_scheduler.LRScheduler': SCHEDULER,
  'torch.optim.lr_scheduler._LRScheduler': SCHEDULER,
  'lightning.LightningModule': `${MODULE} ${LIGHTNING_MODULE}`,
  'lightning.pytorch.LightningModule': `${MODULE} ${LIGHTNING_MODULE}`,
  'pytorch_lightning.LightningModule': `${MODULE} ${LIGHTNING_MODULE}`,
  'lightning.LightningDataModule': LIGHTNING_DATA,
  'lightning.pytorch.LightningDataModule': LIGHTNING_DATA,
  'pytorch_lightning.LightningDataModule': LIGHTNING_DATA,
};

function errors(names: string, members: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, members]));
}

const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(MEMBERS).map(([name, words]) => [name, new Set(words.split(' '))]),
);

/** Bases that add nothing to an object, its constructor included. */
const PLAIN =
  /^(object|abc\.ABC|typing\.Generic|torch\.utils\.data\.(dataset\.)?(Iterable)?Dataset)$/;

/** The public names that objects of a library's class have; undefined where they are not all known. */
export function membersOfLibrary(name: string): ReadonlySet<string> | undefined {
  return KNOWN.get(name);
}

/** Whether a library's class takes no arguments and has no attributes, private ones included. */
export function isPlain(name: string): boolean {
  return PLAIN.test(name);
}

/** Whether objects of a library's class are PyTorch modules, which are called by their `forward`. */
export function isTorchModule(name: string): boolean {
  return KNOWN.get(name)?.has('register_buffer') === true;
}

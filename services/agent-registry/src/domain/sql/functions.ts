import type { SqlDialect, SqlPolicy } from '@tollgate/api/state';
import type { Ident } from './ast.js';
import { exactFunctionName, fold, splitPolicyName } from './names.js';
import { tableText } from './table-rules.js';

/**
 * Built-in functions that only compute from their arguments. An allowlist, because a denylist can never be complete:
 * databases, extensions and owners add functions that write, wait, read files, make network calls or run SQL text.
 */
const COMMON = words(`
  abs acos asin atan atan2 avg cast ceil ceiling char char_length character_length coalesce concat concat_ws cos cot
  count cume_dist current_date current_time current_timestamp current_user date day degrees dense_rank exp extract
  first_value floor format greatest grouping hour ifnull iif instr lag last_value lead least left length ln localtime
  localtimestamp log log10 log2 lower lpad ltrim max min minute mod month nth_value ntile nullif octet_length
  percent_rank percentile_cont percentile_disc pi position pow power radians rand random rank replace reverse right
  round row row_number rpad rtrim second sign sin sqrt stddev stddev_pop stddev_samp substr substring sum tan trim
  trunc truncate upper user session_user var_pop var_samp variance year`);

const BY_DIALECT: Record<SqlDialect, ReadonlySet<string>> = {
  postgres: words(`
    age any_value array array_agg array_append array_cat array_length array_lower array_ndims array_position
    array_positions array_prepend array_remove array_replace array_to_json array_to_string array_upper ascii bit_and
    bit_length bit_or bool_and bool_or btrim cardinality cbrt chr clock_timestamp corr covar_pop covar_samp date_bin
    date_part date_trunc decode div encode every factorial gcd generate_series generate_subscripts initcap
    isfinite json_agg json_array json_array_elements json_array_elements_text json_array_length json_build_array
    json_build_object json_each json_each_text json_extract_path json_extract_path_text json_object json_object_agg
    json_object_keys json_strip_nulls json_typeof jsonb_agg jsonb_array_elements jsonb_array_elements_text
    jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path
    jsonb_extract_path_text jsonb_object jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_match
    jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
    jsonb_typeof justify_days justify_hours justify_interval lcm make_date make_interval make_time make_timestamp
    make_timestamptz md5 min_scale mode normalize now num_nonnulls num_nulls numrange overlay phraseto_tsquery
    plainto_tsquery quote_ident quote_literal quote_nullable range_agg regexp_count regexp_instr regexp_like
    regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
    regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat row_to_json
    scale sha224 sha256 sha384 sha512 similarity split_part starts_with statement_timestamp string_agg
    string_to_array string_to_table strpos timeofday timezone to_ascii to_char to_date to_hex to_json to_jsonb
    to_number to_timestamp to_tsquery to_tsvector transaction_timestamp translate trim_array trim_scale ts_headline
    ts_rank ts_rank_cd tsrange tstzrange unaccent unnest websearch_to_tsquery width_bucket word_similarity daterange
    int4range int8range lower_inc lower_inf upper_inc upper_inf isempty range_merge`),
  mysql: words(`
    adddate addtime any_value ascii bin bit_and bit_count bit_length bit_or bit_xor conv convert convert_tz crc32
    curdate curtime date_add date_format date_sub datediff dayname dayofmonth dayofweek dayofyear elt export_set field
    find_in_set from_base64 from_days from_unixtime group_concat hex if inet6_aton inet6_ntoa inet_aton inet_ntoa
    interval isnull json_array json_arrayagg json_contains json_contains_path json_depth json_extract json_keys
    json_length json_object json_objectagg json_overlaps json_pretty json_quote json_remove json_search json_set
    json_type json_unquote json_valid json_value last_day lcase locate make_set makedate maketime md5 microsecond mid
    monthname now oct ord period_add period_diff quarter quote regexp_instr regexp_like regexp_replace regexp_substr
    repeat sec_to_time sha sha1 sha2 soundex space std str_to_date strcmp subdate substring_index subtime sysdate time
    time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_days to_seconds ucase unhex
    unix_timestamp utc_date utc_time utc_timestamp uuid week weekday weekofyear yearweek values st_distance
    st_distance_sphere st_contains st_within st_x st_y st_astext st_geomfromtext point`),
  sqlserver: words(`
    approx_count_distinct ascii checksum checksum_agg choose convert count_big datalength date_bucket dateadd datediff
    datediff_big datefromparts datename datepart datetime2fromparts datetimefromparts datetimeoffsetfromparts
    datetrunc difference eomonth getdate getutcdate grouping_id hashbytes isdate isjson isnull isnumeric json_array
    json_modify json_object json_path_exists json_query json_value len nchar parse parsename patindex quotename
    replicate smalldatetimefromparts soundex space square stdev stdevp str string_agg string_escape string_split stuff
    switchoffset sysdatetime sysdatetimeoffset sysutcdatetime timefromparts todatetimeoffset translate try_cast
    try_convert try_parse unicode var varp generate_series`),
  sqlite: words(`
    changes date datetime glob group_concat hex json json_array json_array_length json_each json_error_position
    json_extract json_group_array json_group_object json_insert json_object json_patch json_quote json_remove
    json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_extract jsonb_group_array
    jsonb_group_object jsonb_object julianday last_insert_rowid like likelihood likely nullif octet_length printf quote
    sqlite_version strftime string_agg time timediff total total_changes typeof unhex unicode unixepoch unlikely
    bm25 highlight snippet`),
};

/**
 * Functions that take a whole row: PostgreSQL reads `u.to_json` as `to_json(u)` when row u has no such column.
 * Checked for columns of tables with hidden columns.
 */
const TAKES_A_ROW = words(`
  any_value array_agg concat concat_ws count first_value format hash_record hash_record_extended hstore json_agg
  json_agg_strict json_build_array json_build_object jsonb_agg jsonb_agg_strict jsonb_build_array jsonb_build_object lag
  last_value lead max min mode num_nonnulls num_nulls nth_value pg_typeof quote_literal quote_nullable record_out
  record_send row_to_json textin to_json to_jsonb xmlagg xmlforest`);

const SCHEMAS_OF_BUILT_IN = new Set(['pg_catalog', 'sys']);

export function isWholeRowFunction(name: string): boolean {
  return TAKES_A_ROW.has(fold(name));
}

/** Returns why a function must not be called; undefined when it may be. */
export function functionRefusal(name: readonly Ident[], { dialect, functions }: SqlPolicy): string | undefined {
  const exact = (part: Ident) => exactFunctionName(part, dialect);
  const last = exact(name.at(-1)!);
  const schema = name.length > 1 ? exact(name.at(-2)!) : undefined;
  const isBuiltIn = (COMMON.has(last) || BY_DIALECT[dialect].has(last)) && name.length <= 2;
  if (isBuiltIn && (schema === undefined || SCHEMAS_OF_BUILT_IN.has(schema))) return undefined;
  const allowed = (functions?.allowlist ?? []).map(splitPolicyName);
  const isAllowed = allowed.some(
    (rule) => rule.length === name.length && rule.every((part, i) => exact(part) === exact(name[i]!)),
  );
  return isAllowed ? undefined : `function ${tableText(name)} is not allowed`;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

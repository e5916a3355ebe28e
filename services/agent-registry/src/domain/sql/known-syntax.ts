/** Allowlists of tree keys; the walker refuses all others. */

/** Keys of a query: checked by the walker itself, or without effect. */
export const QUERY_KEYS = words('with body order_by limit_clause fetch locks');

/** Parts of a SELECT that hold expressions. */
export const SELECT_KEYS = words('distinct top projection selection group_by having named_window qualify');

/** Harmless everywhere: positions, spellings, types, names that refer to nothing. */
export const SILENT_KEYS = words(`
  span quote_style data_type collation flavor alias window_name escape_char negated top_before_distinct
  window_before_qualify tag unit syntax quantity_kind trim_where null_treatment nulls_first asc units time_zone_info
  field leading_field last_field prefix uses_odbc_syntax is_some is_try target_before_value charset special shorthand
  bracket explicit_row value_keyword set_quantifier duplicate_treatment with_ties percent form quoted has_colon
  opt_search_modifier compare_op operator regexp`);

/** Expressions and the structs between them. */
export const EXPRESSION_KEYS = words(`
  CompoundFieldAccess JsonAccess IsFalse IsNotFalse IsTrue IsNotTrue IsNull IsNotNull IsUnknown IsNotUnknown
  IsDistinctFrom IsNotDistinctFrom IsNormalized InList InSubquery InUnnest Between BinaryOp Like ILike SimilarTo RLike
  AnyOp AllOp UnaryOp Convert Cast AtTimeZone Extract Ceil Floor Position Substring Trim Overlay Collate Nested Value
  TypedString Prefixed Case Exists GroupingSets Cube Rollup Tuple Array Interval MatchAgainst MemberOf
  root access_chain Dot Subscript Index Slice index lower_bound upper_bound stride path expr list array_expr low high
  left right pattern any styles array timestamp time_zone in substring_from substring_for trim_what trim_characters
  overlay_what overlay_from overlay_for value operand conditions condition result results else_result
  leading_precision fractional_seconds_precision columns match_value elem named
  Number SingleQuotedString DollarQuotedString EscapedStringLiteral UnicodeStringLiteral NationalStringLiteral
  HexStringLiteral SingleQuotedByteStringLiteral Boolean Placeholder Null
  args List clauses Unnamed Named ExprNamed name arg Expr over filter within_group WindowSpec NamedWindow partition_by
  order_by window_frame start_bound end_bound Preceding Following OrderBy Separator Limit
  UnnamedExpr Expressions options On with_fill interpolate limit offset limit_by LimitOffset OffsetCommaLimit rows
  quantity Constant content DateTimeField Scale Bracket key modifier seed bucket AfterTableAlias
  BeforeTableAlias WithRollup kind All
  Output select_items OnConflict DuplicateKeyUpdate conflict_target Columns OnConstraint action DoUpdate assignments
  target ColumnName Returning`);

/** Parts of INSERT, UPDATE and DELETE other than expressions. */
export const WRITE_KEYS = words(`
  or ignore into table_alias has_table_keyword replace_into assignments selection returning on output priority
  order_by limit tables insert_alias`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

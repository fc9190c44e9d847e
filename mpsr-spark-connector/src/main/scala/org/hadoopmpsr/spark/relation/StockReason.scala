/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.spark.relation

/**
 * A cause for which a dataset is read as without MPSR. The table in docs/queries.md is made of these.
 *
 * @param counter which of the counters `stock.<counter>` goes up
 * @param words what EXPLAIN says, with `…` for each detail
 * @param when for users: the reads that have this cause, in Markdown
 * @param isFault whether the cause is the state of the dataset or of a listing, and not the query
 * @param substitutable whether records of a file that cannot be read may come from another group: the answer does not depend on
 *   their order, nor on what Parquet's reader makes of the bytes of the file
 */
private[spark] sealed abstract class StockCause(
    val counter: String,
    val words: String,
    val when: String,
    val isFault: Boolean = false,
    val substitutable: Boolean = false) {

  /** @param details in the order of their places in the words */
  def apply(details: String*): StockReason = StockReason(this, details)
}

private[spark] object StockCause {

  case object FilesShown extends StockCause(
    "files-shown",
    "the query asks which files records come from",
    "`input_file_name()`, `_metadata` and the like anywhere in the query",
    substitutable = true)

  case object RecordOrder extends StockCause(
    "order",
    "the query has row numbers, random values or samples, which the order of records decides",
    "`monotonically_increasing_id()`, `spark_partition_id()`, `rand()`, `uuid()`, `shuffle()`, non-deterministic user " +
      "functions, `sample`, `randomSplit`, `TABLESAMPLE (30 PERCENT)`, indexes of pandas on Spark, where they apply to " +
      "records of the dataset. Those of other tables in the query do not count, and each subquery is judged by itself " +
      "(`RecordOrderTest`)")

  case object ReadOptions extends StockCause(
    "option",
    "read options …",
    "read options other than `path`, `mergeSchema=false` and those of writes, such as `mergeSchema=true`, " +
      "`modifiedAfter`, `pathGlobFilter`")

  case object FilesSkipped extends StockCause(
    "option",
    "… is on",
    "unreadable files are skipped (`spark.sql.files.ignoreCorruptFiles`, `spark.sql.files.ignoreMissingFiles`): the " +
      "records in such files differ between groups")

  case object OtherColumn extends StockCause(
    "schema",
    "column … is not the dataset's…",
    "a column in the query has another name or type than in the dataset, because of a user schema, or because Spark " +
      "infers another type from a directory name (`month=2014-05` as a date)")

  case object OtherPartitionColumns extends StockCause(
    "schema",
    "partitioned by … and not by …",
    "the table or the user schema has other partition columns than the directory")

  case object FieldIds extends StockCause(
    "field-ids",
    "columns are found by the numbers of Parquet's fields",
    "a user schema with Parquet field ids, while `spark.sql.parquet.fieldId.read.enabled` is on")

  case object Rebase extends StockCause(
    "rebase",
    "… is LEGACY",
    "rebasing of dates or times in files (`spark.sql.parquet.datetimeRebaseModeInRead`, `…int96RebaseModeInRead` is " +
      "`LEGACY`)")

  case object OtherCalendar extends StockCause(
    "calendar",
    "Spark hands Parquet's reader another day or time than the filter has",
    "a filter with a day from 1582-10-05 to 1582-10-14, or a time that `java.sql.Timestamp` does not keep, while " +
      "`spark.sql.datetime.java8API.enabled` is off ([below](#days-from-1582-10-05-to-1582-10-14))")

  case object SignedZero extends StockCause(
    "zero",
    "Parquet's reader takes -0.0 for less than 0.0, and a query does not",
    "a filter `= 0`, `>= 0`, `<= -0.0` or `IN (0, …)` on a floating-point column, while `spark.sql.parquet.filterPushdown` is on " +
      "([below](#comparisons-with-zero))")

  case object SharedPath extends StockCause(
    "path",
    "Parquet's reader takes two values of the path … for each other",
    "a filter on a column `a.b`, or on field `b` of column `a`, where the dataset has both, while `spark.sql.parquet.filterPushdown` " +
      "is on ([below](#columns-with-dots-in-their-names))")

  case object PartitionConditionFails extends StockCause(
    "fallible",
    "a condition on partition columns fails for a partition",
    "a condition that fails for partition values ([below](#conditions-that-may-fail))",
    substitutable = true)

  case object SkippedRecords extends StockCause(
    "fallible",
    "a condition that may fail is evaluated for records that a condition on … leaves out",
    "a condition that may fail before a condition that prunes, or after one that may be null " +
      "([below](#conditions-that-may-fail))",
    substitutable = true)

  case object PrunedRecords extends StockCause(
    "fallible",
    "an expression that may fail is evaluated for records of partitions that a join leaves out",
    "an expression that may fail below a join that prunes partitions ([below](#conditions-that-may-fail))",
    substitutable = true)

  case object Bucketed extends StockCause("bucketed", "the table is bucketed", "a bucketed table")

  case object PartitionElsewhere extends StockCause(
    "partitions",
    "the table's partition … lies in …",
    "a table that has a selected partition at another location",
    substitutable = true)

  case object PartitionLacking extends StockCause(
    "listing",
    "the listing of the table lacks …",
    "a table that lacks a partition that the filters select",
    isFault = true,
    substitutable = true)

  case object OtherListing extends StockCause(
    "listing",
    "the listing of … is of another generation…",
    "a listing of no state that the NameNode remembers; a published file of the default group that somebody has appended to " +
      "or truncated; a selected partition of a table, listed before the last commit to the partition",
    isFault = true,
    substitutable = true)

  case object ChangedMeanwhile extends StockCause(
    "listing",
    "the dataset changed while its partitions were compared",
    "a commit while a query with filters on a table's partitions is planned",
    isFault = true,
    substitutable = true)

  case object NothingToCompare extends StockCause(
    "listing",
    "the table's partitions cannot be compared with the dataset",
    "a NameNode that stops answering while a query with filters on a table's partitions is planned",
    isFault = true,
    substitutable = true)

  case object NoFingerprint extends StockCause(
    "listing",
    "the listing of … cannot be compared: the NameNode is older and does not tell which files are the dataset's",
    "a NameNode whose version has no fingerprints of listings",
    isFault = true,
    substitutable = true)

  case object Planning extends StockCause(
    "planning",
    "…",
    "no group can be planned (diverged, not ready): the NameNode gives the reason",
    isFault = true,
    substitutable = true)

  case object NameNodeBusy extends StockCause(
    "busy",
    "the NameNode takes no call now: …",
    "a NameNode that is busy up to [a limit](security.md#what-a-call-may-take) and stays so while the driver tries again. " +
      "The driver asks again after a minute. Until then EXPLAIN says this of each directory there, dataset or not",
    isFault = true)

  /** In the order of the documentation. */
  def all: Seq[StockCause] = Seq(
    FilesShown,
    RecordOrder,
    ReadOptions,
    FilesSkipped,
    OtherColumn,
    OtherPartitionColumns,
    FieldIds,
    Rebase,
    OtherCalendar,
    SignedZero,
    SharedPath,
    PartitionConditionFails,
    SkippedRecords,
    PrunedRecords,
    Bucketed,
    PartitionElsewhere,
    PartitionLacking,
    OtherListing,
    ChangedMeanwhile,
    NothingToCompare,
    NoFingerprint,
    Planning,
    NameNodeBusy)
}

/** Why one read of a dataset is as without MPSR. */
private[spark] final case class StockReason(cause: StockCause, details: Seq[String]) {

  /** One sentence for users. */
  def text: String = cause.words.split("…", -1).toSeq.zipAll(details, "", "").map { case (words, detail) => words + detail }.mkString
}

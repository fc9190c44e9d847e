/** Parquet files straight from columns in memory. */
package org.hadoopmpsr.columnar.parquet;

/** Columns of Parquet files, decoded straight into vectors. */
package org.hadoopmpsr.columnar.read;

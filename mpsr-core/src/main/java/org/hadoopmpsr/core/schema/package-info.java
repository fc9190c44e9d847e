/** What a dataset's records look like: columns, their types and their values. */
package org.hadoopmpsr.core.schema;

/** The bytes of nested values: one form in memory, between tasks and in the content hash. */
package org.hadoopmpsr.core.nested;

/** What is known of a file without reading it. */
package org.hadoopmpsr.core.stats;

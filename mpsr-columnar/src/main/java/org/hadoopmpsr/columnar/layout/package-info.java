/** Which buffered record goes to which file of a replica group, and in which order. */
package org.hadoopmpsr.columnar.layout;

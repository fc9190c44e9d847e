/** What is damaged of segments, and how it is rebuilt. */
package org.hadoopmpsr.core.rebuild;

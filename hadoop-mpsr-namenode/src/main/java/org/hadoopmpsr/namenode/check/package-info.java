/** What a writer says of a change, compared with what is staged. */
package org.hadoopmpsr.namenode.check;
